"""Route53Identity: static checks, the live credential check, zone discovery, and the status that tells of them.

Nothing here is DNS; whoever acts with an identity asks `route53_controller.accounts`.
"""
