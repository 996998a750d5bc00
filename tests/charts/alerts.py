"""What each alert is for, as series that Prometheus might hold: with which it fires, and with which it must not."""

from dataclasses import dataclass, field

Series = dict[str, str]
"""Values by series, in promtool's notation: `0+1x60` grows by one a minute, `_x30 1x30` is born after half an hour."""
HERE = 'namespace="dns-system"'
BY_POD = f'{HERE},pod="dnsapi-core-1"'


@dataclass(frozen=True)
class Case:
    """One alert: the series that make it fire, at a minute, with labels and summary; and those that leave it silent."""

    fires: Series
    minute: int
    labels: dict[str, str]
    summary: str
    silent: Series = field(default_factory=dict)


def buckets(metric: str, labels: str, slow: bool) -> Series:
    """Return a histogram of one observation a second, slow ones above its last bound but one, or all in the first."""
    bounds = ("0.1", "0.25", "1", "10", "60", "300", "+Inf")
    return {
        f'{metric}_bucket{{{labels},le="{bound}"}}': "0+0x90" if slow and bound not in {"300", "+Inf"} else "0+60x90"
        for bound in bounds
    }


def calls(outcome: str, values: str) -> Series:
    """Return calls of one identity."""
    labels = f'{HERE},pod="dnsapi-route53-1",action="GetChange",identity="team/main",outcome="{outcome}"'
    return {f"route53_api_calls_total{{{labels}}}": values}


def _leader(name: str, pod: str, values: str) -> Series:
    return {f'leader_election_master_status{{{HERE},name="dnsapi-{name}",pod="{pod}"}}': values}


def of_component(component: str, values: str, namespace: str = "dns-system") -> Series:
    """Return the series by which a component is seen, of a pod that does not lead where it has the value nought."""
    if component == "webhook":
        return {f'dnsapi_webhook_certificate_days_left{{namespace="{namespace}",pod="w"}}': values}
    return {f'leader_election_master_status{{namespace="{namespace}",name="dnsapi-{component}",pod="a"}}': values}


def others_of(component: str) -> Series:
    """Return the series by which all other components are seen."""
    return {name: values for one in ABSENT if one != component for name, values in of_component(one, "1x90").items()}


ABSENT = {
    "core": ("core", "claims get no answer"),
    "route53": ("route53", "nothing changes at Route 53"),
    "webhook": ("the webhook", "claims cannot be written"),
    "sources": ("the sources", "records do not follow routes"),
}
"""By component: who is absent, and what comes of it."""

_ZONE = f'{HERE},zone="team/example"'
_IDENTITY = {"namespace": "dns-system", "identity": "team/main"}
_IN_ZONE = {"namespace": "dns-system", "zone": "team/example"}
_CONTROLLER = {"namespace": "dns-system", "controller": "zone"}

CASES: dict[str, Case] = {
    "DnsapiNoLeader": Case(
        _leader("core", "a", "1x10 0x90") | _leader("core", "b", "0x100"),
        20,
        {"namespace": "dns-system", "name": "dnsapi-core"},
        "Nobody leads dnsapi-core: nothing is reconciled.",
        _leader("core", "a", "1x10 0x90") | _leader("core", "b", "0x10 1x90"),
    ),
    "DnsapiTwoLeaders": Case(
        _leader("core", "a", "1x90") | _leader("core", "b", "1x90"),
        20,
        {"namespace": "dns-system", "name": "dnsapi-core"},
        "More than one pod believes that it leads dnsapi-core.",
        _leader("core", "a", "1x90") | _leader("core", "b", "0x90") | _leader("route53", "a", "1x90"),
    ),
    "DnsapiTwoInstallations": Case(
        of_component("core", "1x90") | of_component("core", "1x90", namespace="dns-elsewhere"),
        20,
        {"name": "dnsapi-core"},
        "dnsapi-core leads in 2 namespaces: they write the same objects.",
        of_component("core", "1x90")
        | of_component("core", "0x90", namespace="dns-elsewhere")
        | of_component("sources", "1x90", namespace="dns-elsewhere")
        | of_component("route53", "1x90")
        | of_component("route53", "1x90", namespace="dns-elsewhere")
        | {'leader_election_master_status{cluster="two",namespace="a",name="dnsapi-core",pod="a"}': "1x90"},
    ),
    "DnsapiPodRestarts": Case(
        {f"dnsapi_process_start_time_seconds{{{BY_POD}}}": "100 stale _x4 500 stale _x4 900 stale _x4 1300 stale _x90"},
        20,
        {"namespace": "dns-system", "pod": "dnsapi-core-1"},
        "dnsapi-core-1 was started anew 3 times within half an hour.",
        {
            f"dnsapi_process_start_time_seconds{{{BY_POD}}}": "100x5 500x90",
            f'dnsapi_process_start_time_seconds{{{HERE},pod="dnsapi-core-2"}}': "_x8 700x90",
        },
    ),
    "DnsapiReconcileErrors": Case(
        {
            f'controller_runtime_reconcile_errors_total{{{BY_POD},controller="zone"}}': "0+1x90",
            f'controller_runtime_reconcile_total{{{BY_POD},controller="zone",result="error"}}': "0+1x90",
            f'controller_runtime_reconcile_total{{{BY_POD},controller="zone",result="success"}}': "0+3x90",
        },
        40,
        _CONTROLLER,
        "25% of the reconciles of zone fail.",
        {
            f'controller_runtime_reconcile_errors_total{{{BY_POD},controller="zone"}}': "0+1x90",
            f'controller_runtime_reconcile_total{{{BY_POD},controller="zone",result="error"}}': "0+1x90",
            f'controller_runtime_reconcile_total{{{BY_POD},controller="zone",result="success"}}': "0+9x90",
        },
    ),
    "DnsapiTerminalErrors": Case(
        {f'controller_runtime_terminal_reconcile_errors_total{{{BY_POD},controller="zone"}}': "0x30 1x60"},
        40,
        _CONTROLLER,
        "zone gave up on objects until they change.",
        {f'controller_runtime_terminal_reconcile_errors_total{{{BY_POD},controller="zone"}}': "3x90"},
    ),
    "DnsapiQueueSlow": Case(
        buckets("workqueue_queue_duration_seconds", f'{BY_POD},controller="zone",name="zone"', slow=True),
        40,
        _CONTROLLER,
        "Changes wait 4m 48s before zone looks at them.",
        buckets("workqueue_queue_duration_seconds", f'{BY_POD},controller="zone",name="zone"', slow=False),
    ),
    "DnsapiWorkerStuck": Case(
        {f'workqueue_longest_running_processor_seconds{{{BY_POD},controller="zone",name="zone"}}': "0+60x90"},
        20,
        _CONTROLLER,
        "zone has worked on one object for 20m 0s.",
        {f'workqueue_longest_running_processor_seconds{{{BY_POD},controller="zone",name="zone"}}': "0 300 0 599x90"},
    ),
    "DnsapiWatchStuck": Case(
        {f'dnsapi_informer_last_event_age_seconds{{{BY_POD},resource="zones"}}': "0+60x90"},
        15,
        {"namespace": "dns-system", "pod": "dnsapi-core-1", "resource": "zones"},
        "dnsapi-core-1 has heard nothing of zones for 15m 0s.",
        {f'dnsapi_informer_last_event_age_seconds{{{BY_POD},resource="zones"}}': "0 300 0 360 420x90"},
    ),
    "DnsapiUndecodableObjects": Case(
        {f'dnsapi_informer_unfit_objects{{{BY_POD},resource="zones"}}': "2x90"},
        80,
        {"namespace": "dns-system", "resource": "zones"},
        "2 objects of zones do not fit their model and are ignored.",
        {f'dnsapi_informer_unfit_objects{{{BY_POD},resource="zones"}}': "0x70 1x3 0x90"},
    ),
    "DnsapiRoute53Throttled": Case(
        calls("Throttled", "0+20x90") | calls("Success", "0+300x90"),
        45,
        _IDENTITY,
        "Route 53 keeps throttling calls of team/main.",
        calls("Throttled", "0+1x90") | calls("Success", "0+300x90"),
    ),
    "DnsapiRoute53Denied": Case(
        calls("AccessDenied", "0+1x90"),
        40,
        {**_IDENTITY, "outcome": "AccessDenied"},
        "AWS refuses calls of team/main: AccessDenied.",
        calls("AccessDenied", "0 1 2 3x90") | calls("Success", "0+60x90"),
    ),
    "DnsapiRoute53Unavailable": Case(
        calls("Unavailable", "0+6x90") | calls("Success", "0+6x90"),
        40,
        _IDENTITY,
        "50% of the calls of team/main get no answer.",
        calls("Unavailable", "0+1x90") | calls("Success", "0+9x90"),
    ),
    "DnsapiRoute53LimitReached": Case(
        calls("LimitExceeded", "0x30 1x60"),
        40,
        _IDENTITY,
        "A quota of the account of team/main is used up.",
        calls("LimitExceeded", "4x90") | calls("Success", "0+60x90"),
    ),
    "DnsapiRoute53BudgetShort": Case(
        buckets("route53_budget_wait_seconds", f'{HERE},budget="team/main",priority="user"', slow=True),
        40,
        {"namespace": "dns-system", "budget": "team/main"},
        "People's changes wait 4m 48s for the request budget of team/main.",
        buckets("route53_budget_wait_seconds", f'{HERE},budget="team/main",priority="drift"', slow=True),
    ),
    "DnsapiDeletionsHeld": Case(
        {f"route53_zone_held_deletions{{{_ZONE}}}": "0x10 1x90"},
        20,
        _IN_ZONE,
        "Deletions in team/example are held until somebody confirms them.",
        {f"route53_zone_held_deletions{{{_ZONE}}}": "0x16 1x3 0x90"},
    ),
    "DnsapiZonePaused": Case(
        {f"route53_zone_paused{{{_ZONE}}}": "0x10 1x800"},
        740,
        _IN_ZONE,
        "The zone team/example has been paused for twelve hours: nothing of it is written to Route 53.",
        {f"route53_zone_paused{{{_ZONE}}}": "0x10 1x600 0 1x200"},
    ),
    "DnsapiZoneNotProgrammed": Case(
        {f"route53_zone_programmed{{{_ZONE}}}": "1x10 0x90"},
        80,
        _IN_ZONE,
        "The zone team/example or one of its record sets has not been programmed for an hour.",
        {f"route53_zone_programmed{{{_ZONE}}}": "1x10 0x50 1 0x90"},
    ),
    "DnsapiZoneServedTwice": Case(
        {
            f'route53_zone_programmed{{{_ZONE},pod="a"}}': "1x90",
            'route53_zone_programmed{namespace="dns-elsewhere",zone="team/example",pod="a"}': "0x90",
        },
        30,
        {"zone": "team/example"},
        "Route 53 controllers in 2 namespaces work on the zone team/example.",
        {
            f'route53_zone_programmed{{{_ZONE},pod="a"}}': "1x90",
            f'route53_zone_programmed{{{_ZONE},pod="b"}}': "1x90",
            'route53_zone_programmed{namespace="dns-elsewhere",zone="team/other",pod="a"}': "1x90",
        },
    ),
    "DnsapiChangePendingLong": Case(
        {f"route53_zone_pending_change_age_seconds{{{_ZONE}}}": "0+60x90"},
        30,
        _IN_ZONE,
        "A change in team/example has been on its way for 30m 0s.",
        {f"route53_zone_pending_change_age_seconds{{{_ZONE}}}": "0+60x14 0x90"},
    ),
    "DnsapiDrift": Case(
        {f"route53_drift_total{{{_ZONE}}}": "0x30 20x60"},
        40,
        _IN_ZONE,
        "Somebody else keeps changing records of team/example at Route 53.",
        {f"route53_drift_total{{{_ZONE}}}": "0x30 2x60"},
    ),
    **{
        f"Dnsapi{component.title()}Absent": Case(
            {**others_of(component), **of_component(component, "1x90", namespace="dns-elsewhere")},
            10,
            {"namespace": "dns-system"} | ({} if component == "webhook" else {"name": f"dnsapi-{component}"}),
            f"No pod of {who} in dns-system reports metrics: {effect}.",
            {**others_of(component), **of_component(component, "0x90")},
        )
        for component, (who, effect) in ABSENT.items()
    },
    "DnsapiWebhookCertificateExpires": Case(
        {
            f'dnsapi_webhook_certificate_days_left{{{HERE},pod="a"}}': "80x90",
            f'dnsapi_webhook_certificate_days_left{{{HERE},pod="b"}}': "5x90",
        },
        80,
        {"namespace": "dns-system"},
        "The webhook's certificate ends in 5 days and was not renewed.",
        {f"dnsapi_webhook_certificate_days_left{{{HERE}}}": "8x90"},
    ),
    "DnsapiWebhookSlow": Case(
        buckets("dnsapi_webhook_review_duration_seconds", f'{HERE},path="/a"', slow=True),
        40,
        {"namespace": "dns-system"},
        "Admission takes 4m 57s.",
        buckets("dnsapi_webhook_review_duration_seconds", f'{HERE},path="/a"', slow=False),
    ),
    "DnsapiSourcesHeld": Case(
        {f'dnsapi_sources_held{{{HERE},pod="a"}}': "0x10 2x90"},
        80,
        {"namespace": "dns-system"},
        "2 source objects keep the records that they had, because they cannot be read for certain.",
        {f'dnsapi_sources_held{{{HERE},pod="a"}}': "0x10 2x50 0 2x90"},
    ),
}
"""By the alert's name."""
