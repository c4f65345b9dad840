#!/bin/sh
# Starts Postfix in the foreground. POSTFIX_HOSTNAME: the name in HELO, which DNS should know in both directions.
# POSTFIX_RELAYHOST: a smart host such as [smtp.example.com]:587; empty: mail goes to its recipients' servers.
set -eu
postconf -e "myhostname = ${POSTFIX_HOSTNAME:?set POSTFIX_HOSTNAME}" "relayhost = ${POSTFIX_RELAYHOST:-}"
# A chroot inside a container protects nothing, and would need copies of the resolver's files.
postconf -F '*/*/chroot = n'
exec postfix start-fg
