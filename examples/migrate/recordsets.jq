# RecordSets that take over what stands in a hosted zone, from `aws route53 list-resource-record-sets`:
#
#   jq --from-file recordsets.jq --arg domain example.com --arg zone dns-platform/example-com --arg namespace team-a zone.json
#
# What this API cannot hold (other types, routing policies, health checks, texts that are not ASCII, names that are no host
# names) is left out and named on standard error; it stays at Route 53 as it is. NS and SOA of the domain itself belong to
# Route 53.

def no_dot: ascii_downcase | rtrimstr(".");
def relative: .Name | no_dot | sub("^\\\\052(?<rest>\\.|$)"; "*\(.rest)") | if . == $domain then "@" else rtrimstr("." + $domain) end;
def octal: explode | map(. - 48) | .[0] * 64 + .[1] * 8 + .[2];
def text: [scan("\"((?:[^\"\\\\]|\\\\.)*)\"") | .[0]] | join("")
  | gsub("\\\\(?:(?<digits>[0-3][0-7]{2})|(?<sign>.))"; if .digits then [.digits | octal] | implode else .sign end);
def values: [.ResourceRecords[].Value];
def texts: values | map(text);
def mails: values | map([splits("[ \t]+") | select(. != "")] | {
  preference: (.[0] | tonumber),
  exchange: (.[1] | if . == "." then . else no_dot end)});
def authorisations: values | map(capture("^(?<flags>[0-9]+)[ \t]+(?<tag>[^ \t]+)[ \t]+(?<value>.*)$") | {
  flags: (.flags | tonumber),
  tag: (.tag | ascii_downcase),
  value: (.value | if startswith("\"") then text else . end)});

# Whether a text is a name as claims write them, with or without labels such as _acme-challenge.
def is_name($underscores):
  (if $underscores then "_?" else "" end + "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?") as $one | test("^\($one)(?:\\.\($one))*$");
def owner_fits: relative as $name | (.Type == "TXT" or .Type == "CNAME") as $underscores
  | $name == "@" or $name == "*" or ($name | ltrimstr("*.") | is_name($underscores));
def targets: if .AliasTarget then [.AliasTarget.DNSName | no_dot]
  elif .Type == "CNAME" or .Type == "NS" then values | map(no_dot)
  elif .Type == "MX" then mails | map(.exchange | select(. != "."))
  else [] end;
def targets_fit: (.Type == "CNAME") as $underscores | targets | all(is_name($underscores));

def body:
  if .AliasTarget then
    {options: {alias: {
      dnsName: (.AliasTarget.DNSName | no_dot + "."),
      hostedZoneID: (.AliasTarget.HostedZoneId | ltrimstr("/hostedzone/")),
      evaluateTargetHealth: .AliasTarget.EvaluateTargetHealth}}}
  else
    {ttl: .TTL} +
    if .Type == "A" then {a: {addresses: values}}
    elif .Type == "AAAA" then {aaaa: {addresses: values}}
    elif .Type == "TXT" then {txt: {values: texts}}
    elif .Type == "CNAME" then {cname: {target: (values[0] | no_dot)}}
    elif .Type == "NS" then {ns: {nameServers: (values | map(no_dot))}}
    elif .Type == "MX" then {mx: {records: mails}}
    else {caa: {records: authorisations}}
    end
  end;

def reason:
  if [.Type] | inside(["A", "AAAA", "TXT", "CNAME", "MX", "CAA", "NS"]) | not then "its type is none of the seven"
  elif .SetIdentifier then "it has a routing policy"
  elif .HealthCheckId then "it has a health check"
  elif .TrafficPolicyInstanceId then "it belongs to a traffic policy"
  elif (.AliasTarget and (.Type != "A" and .Type != "AAAA")) then "it is an alias of another type than A and AAAA"
  elif (relative | contains("_")) and (.Type != "TXT" and .Type != "CNAME") then "only TXT and CNAME may have underscores"
  elif owner_fits | not then "its name has signs that no name may have here"
  elif .Type == "NS" and (relative | startswith("*")) then "a wildcard cannot be delegated here"
  elif targets_fit | not then "its target has signs that no target may have here"
  elif targets | any(test("^[0-9]+(\\.[0-9]+){3}$")) then "its target is an address"
  elif .Type == "TXT" and (texts | any(test("[^ -~]"))) then "its text is not printable ASCII alone"
  elif .Type == "TXT" and (texts | any(. == "")) then "it has an empty text"
  elif .Type == "TXT" and (texts | length != (unique | length)) then "two of its texts are the same"
  elif .Type == "MX" and (mails | length > 1 and any(.exchange == ".")) then "it says beside others that there is no mail"
  elif .Type == "CAA" and (authorisations | any(.value == "")) then "it has an empty value"
  elif .Type == "CAA" and (authorisations | any(.value | test("[^ -~]"))) then "its value is not printable ASCII alone"
  elif .Type == "AAAA" and .AliasTarget == null and (values | any(ascii_downcase | test("^(::|(0+:){5})ffff:"))) then
    "it has an IPv4 address among its IPv6 addresses"
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
