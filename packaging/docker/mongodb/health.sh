#!/usr/bin/env bash
# Healthy once the server takes writes. It says so over a plain connection: a start of mongosh costs a second of CPU, so
# mongosh only creates the replica set, once. Arguments, for another server than the container's: port, member.
set -euo pipefail
export LC_ALL=C
port=${1:-27017} member=${2:-mongodb:27017}

exec 3<>"/dev/tcp/127.0.0.1/$port"
# A message of the wire protocol (OP_MSG) with { hello: 1, $db: "admin" }.
printf '\x34\0\0\0\1\0\0\0\0\0\0\0\xdd\7\0\0\0\0\0\0\0\x1f\0\0\0\x10hello\0\1\0\0\0\2$db\0\6\0\0\0admin\0\0' >&3
answer=$(timeout 5 dd bs=64k count=1 status=none <&3 | tr -d '\0')

if [[ $answer == *isWritablePrimary$'\x01'* ]]; then exit 0; fi
# It answers so until a replica set was created.
if [[ $answer == *isreplicaset* ]]; then
  mongosh --quiet --port "$port" --eval "rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: '$member' }] })"
fi
exit 1
