"""`&&`, `||` and the conditional. Logic absorbs errors: what one operand decides, no error of another undoes."""

from libdnsapi.contract.cel.compile.scope import Eval, Frame, Scope, Typed
from libdnsapi.contract.cel.syntax.nodes import Conditional, Logic
from libdnsapi.contract.cel.syntax.problem import CompileError
from libdnsapi.contract.cel.types import BOOL, DYN, NULL, unify
from libdnsapi.contract.cel.values import CelError, Value


def compile_logic(node: Logic, scope: Scope) -> Typed:
    """Compile a chain of `&&` or of `||`."""
    terms = []
    for term in node.terms:
        compiled = scope.compile(term)
        if not unify(compiled.type, BOOL, {}):
            raise CompileError(term.position, f"{node.operator} needs bool, this is {compiled.type}")
        terms.append(compiled.run)
    return Typed(decided(tuple(terms), by=node.operator == "||"), BOOL)


def decided(terms: tuple[Eval, ...], *, by: bool) -> Eval:
    """Return a closure that is `by` as soon as one term is, fails if some term failed, and else is `not by`."""

    def run(frame: Frame) -> Value:
        problem: CelError | None = None
        for term in terms:
            try:
                value = term(frame)
            except CelError as error:
                problem = problem or error
                continue
            if value is by:
                return by
            if value is not (not by):
                problem = problem or CelError("no such overload: a logical operator needs bool")
        if problem is not None:
            raise problem
        return not by

    return run


def compile_conditional(node: Conditional, scope: Scope) -> Typed:
    """Compile `test ? yes : no`; both branches have one type, or dyn."""
    test, yes, no = (scope.compile(part) for part in (node.test, node.yes, node.no))
    if not unify(test.type, BOOL, {}):
        raise CompileError(node.test.position, f"a condition needs bool, this is {test.type}")
    # A null branch is how a conversion says "no payload"; cel-go would want it written as dyn(null).
    if NULL not in (yes.type, no.type) and not unify(yes.type, no.type, {}):
        raise CompileError(node.no.position, f"the branches have types {yes.type} and {no.type}")
    test_run, yes_run, no_run = test.run, yes.run, no.run

    def run(frame: Frame) -> Value:
        value = test_run(frame)
        if value is True:
            return yes_run(frame)
        if value is False:
            return no_run(frame)
        raise CelError("no such overload: a condition needs bool")

    return Typed(run, yes.type if yes.type == no.type else DYN)
