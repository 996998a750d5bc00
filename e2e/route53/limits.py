"""The rate limit of an account: a token bucket. Pure but for its own counter; time comes in as monotonic seconds."""

from dataclasses import dataclass

from e2e.route53.settings import RateLimit


@dataclass
class TokenBucket:
    """Tokens of one account. Starts full."""

    limit: RateLimit
    tokens: float
    refilled_at: float

    @classmethod
    def full(cls, limit: RateLimit, now: float) -> "TokenBucket":
        """Return a full bucket."""
        return cls(limit, float(limit.burst), now)

    def take(self, now: float) -> bool:
        """Take one token if there is one."""
        gained = (now - self.refilled_at) * self.limit.per_second
        self.tokens = min(float(self.limit.burst), self.tokens + gained)
        self.refilled_at = now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True
