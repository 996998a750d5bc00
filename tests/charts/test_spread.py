from tests.charts.conftest import Render
from tests.charts.values import of_kind


def test_replicas_are_spread_over_nodes_and_zones(render: Render) -> None:
    for deployment in of_kind(render({"sources": {"enabled": True}}), "Deployment"):
        pod = deployment["spec"]["template"]
        constraints = {one["topologyKey"]: one for one in pod["spec"]["topologySpreadConstraints"]}

        assert constraints.keys() == {"kubernetes.io/hostname", "topology.kubernetes.io/zone"}
        for one in constraints.values():
            assert one["labelSelector"]["matchLabels"] == deployment["spec"]["selector"]["matchLabels"]


def test_everything_runs_twice_and_may_lose_one_pod(render: Render) -> None:
    documents = render({"sources": {"enabled": True}})

    assert {one["spec"]["replicas"] for one in of_kind(documents, "Deployment")} == {2}
    assert {one["spec"]["maxUnavailable"] for one in of_kind(documents, "PodDisruptionBudget")} == {1}


def test_controllers_elect_a_leader_and_the_webhook_needs_none(render: Render) -> None:
    for deployment in of_kind(render({"sources": {"enabled": True}}), "Deployment"):
        component = deployment["metadata"]["labels"]["app.kubernetes.io/component"]
        arguments = deployment["spec"]["template"]["spec"]["containers"][0]["args"]

        assert ("--no-leader-elect" in arguments) == (component == "webhook")
