"""The kinds of the group dns.appthrust.io."""
