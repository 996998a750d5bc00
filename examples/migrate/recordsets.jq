# RecordSets that take over what stands in a hosted zone, from `aws route53 list-resource-record-sets`:
#
#   jq --from-file recordsets.jq --arg domain example.com --arg zone dns-platform/example-com --arg namespace team-a zone.json
#
# What this API cannot hold (other types, routing policies, health checks, texts that are not ASCII) is left out and named
# on standard error; it stays at Route 53 as it is. NS and SOA of the domain itself belong to Route 53.

def no_dot: ascii_downcase | rtrimstr(".");
def relative: .Name | no_dot | gsub("\\\\052"; "*") | if . == $domain then "@" else rtrimstr("." + $domain) end;
def text: [scan("\"((?:[^\"\\\\]|\\\\.)*)\"") | .[0]] | join("") | gsub("\\\\(?<sign>[\"\\\\])"; "\(.sign)");
def values: [.ResourceRecords[].Value];

def body:
  if .AliasTarget then
    {options: {alias: {
      dnsName: (.AliasTarget.DNSName | no_dot + "."),
      hostedZoneID: .AliasTarget.HostedZoneId,
      evaluateTargetHealth: .AliasTarget.EvaluateTargetHealth}}}
  else
    {ttl: .TTL} +
    if .Type == "A" then {a: {addresses: values}}
    elif .Type == "AAAA" then {aaaa: {addresses: values}}
    elif .Type == "TXT" then {txt: {values: (values | map(text))}}
    elif .Type == "CNAME" then {cname: {target: (values[0] | no_dot)}}
    elif .Type == "NS" then {ns: {nameServers: (values | map(no_dot))}}
    elif .Type == "MX" then {mx: {records: (values | map(split(" ") | {
      preference: (.[0] | tonumber),
      exchange: (.[1] | if . == "." then . else no_dot end)}))}}
    else {caa: {records: (values | map(capture("^(?<flags>[0-9]+) +(?<tag>[^ ]+) +(?<value>.*)$") | {
      flags: (.flags | tonumber),
      tag: (.tag | ascii_downcase),
      value: (.value | if startswith("\"") then text else . end)}))}}
    end
  end;

def reason:
  if [.Type] | inside(["A", "AAAA", "TXT", "CNAME", "MX", "CAA", "NS"]) | not then "its type is none of the seven"
  elif .SetIdentifier then "it has a routing policy"
  elif .HealthCheckId then "it has a health check"
  elif .TrafficPolicyInstanceId then "it belongs to a traffic policy"
  elif (.AliasTarget and (.Type != "A" and .Type != "AAAA")) then "it is an alias of another type than A and AAAA"
  elif relative | test("\\\\|[^ -~]") then "its name has signs that no name may have here"
  elif (relative | test("(^|\\.)_")) and (.Type != "TXT" and .Type != "CNAME") then "only TXT and CNAME may have underscores"
  elif .Type == "TXT" and (values | any(test("\\\\[0-9]|[^ -~]"))) then "its text is not printable ASCII alone"
  elif .AliasTarget and (.AliasTarget.DNSName | test("[\\\\_]")) then "its target has signs that no target may have here"
  elif .AliasTarget == null and .TTL == 0 then "its TTL is 0"
  else null end;

# Two record sets may come to one name here (@ and apex); the second is numbered.
def numbered: group_by(.metadata.name) | map(to_entries | map(if .key == 0 then .value else
  .key as $n | .value | .metadata.name += "-\($n + 1)" end)) | add // [];
def kept: select((.Type == "SOA" or .Type == "NS") and relative == "@" | not);
def named: (relative | gsub("@"; "apex") | gsub("\\*"; "any") | gsub("(?<start>^|\\.)_"; "\(.start)u-")) + "-" + (.Type | ascii_downcase);

{
  apiVersion: "v1",
  kind: "List",
  items: ([
    .ResourceRecordSets[] | kept
    | reason as $why
    | if $why then ("left as it is: \(.Name) \(.Type): \($why)" | debug | empty) else . end
    | {
        apiVersion: "dns.appthrust.io/v1alpha1",
        kind: "RecordSet",
        metadata: {namespace: $namespace, name: named},
        spec: ({
          zoneRef: ($zone | split("/") | {namespace: .[0], name: .[1]}),
          provider: {name: "route53.dns.appthrust.io", version: "v1alpha1"},
          type: .Type,
          name: relative,
          adoption: {enabled: true}
        } + body)
      }
  ] | numbered)
}
