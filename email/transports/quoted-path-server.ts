import { SMTPServer } from 'smtp-server';
import { isQuotedLocal } from '../../domain/addresses/local-part';

type Connection = SMTPServer['connections'] extends Set<infer C> ? C : never;

/** A path whose local part is in quotes: what precedes it, the local part, and the rest of the command. */
const QUOTED_PATH = /^([^:<]*:\s*<)("(?:[^"\\]|\\.)*")(@[^<>]*>.*)$/s;
const PLACEHOLDER = 'quoted';

/**
 * An SMTP server that takes local parts in quotes (RFC 5321 section 4.1.2). The package splits a command at spaces and
 * an address at its first `@`, so it would refuse `"a b@c"@example.com`; it is given a placeholder to parse instead.
 */
export class QuotedPathServer extends SMTPServer {
  override connect(...args: Parameters<SMTPServer['connect']>): void {
    super.connect(...args);
    for (const connection of this.connections) {
      if (!Object.hasOwn(connection, '_parseAddressCommand')) takeQuotedPaths(connection);
    }
  }
}

function takeQuotedPaths(connection: Connection): void {
  const parse: Connection['_parseAddressCommand'] = connection._parseAddressCommand.bind(connection);
  connection._parseAddressCommand = (name, command) => {
    const [, before = '', local = '', after = ''] = QUOTED_PATH.exec(command.toString()) ?? [];
    if (!isQuotedLocal(local)) return parse(name, command);
    const parsed = parse(name, `${before}${PLACEHOLDER}${after}`);
    return parsed && { ...parsed, address: `${local}${parsed.address.slice(PLACEHOLDER.length)}` };
  };
}
