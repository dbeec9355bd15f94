"""What Schemathesis is to know of the API beyond its description."""

import itertools

import schemathesis

numbers = itertools.count(1)


@schemathesis.hook
def before_call(context, case, kwargs):
    """Uses each Idempotency-Key once: the API refuses it with another body. One that is too long stays as it is."""
    key = (case.headers or {}).get("Idempotency-Key")
    if isinstance(key, str) and len(key) <= 255:
        case.headers["Idempotency-Key"] = f"request {next(numbers)}"


@schemathesis.hook
def filter_path_parameters(context, path_parameters):
    """Leaves out "." and "..": Python's clients remove them from the path, escaped or not."""
    return not any(value in (".", "..") for value in (path_parameters or {}).values())
