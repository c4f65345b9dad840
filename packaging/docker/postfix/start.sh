#!/bin/sh
# Starts Postfix in the foreground. POSTFIX_HOSTNAME: the name in HELO, which DNS should resolve in both directions.
# POSTFIX_RELAYHOST: a smart host such as [smtp.example.com]:587; empty: mail goes directly to the recipients' servers.
set -eu
postconf -e "myhostname = ${POSTFIX_HOSTNAME:?set POSTFIX_HOSTNAME}" "relayhost = ${POSTFIX_RELAYHOST:-}"
# A chroot inside a container adds no protection and would need copies of the resolver's files.
postconf -F '*/*/chroot = n'
exec postfix start-fg
