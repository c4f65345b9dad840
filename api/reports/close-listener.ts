import type { SMTPServer } from 'smtp-server';

/**
 * Closes an SMTP server: no new connections, mail under way gets its answer, then every connection hears 421. Takes no
 * longer than the server's `closeTimeout`.
 */
export async function closeDoor(server: SMTPServer, underWay: ReadonlySet<Promise<void>>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(resolve));
  await Promise.race([Promise.allSettled(underWay), closed]);
  for (const connection of server.connections) connection.send(421, '4.3.2 Shutting down');
  await closed;
}
