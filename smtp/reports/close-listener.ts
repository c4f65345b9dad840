import type { SMTPServer } from 'smtp-server';

/**
 * Closes an SMTP server: accepts no new connections, answers mail in progress, then sends 421 on every connection.
 * Takes at most the server's `closeTimeout`.
 */
export async function closeListener(server: SMTPServer, underWay: ReadonlySet<Promise<void>>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(resolve));
  await Promise.race([Promise.allSettled(underWay), closed]);
  for (const connection of server.connections) connection.send(421, '4.3.2 Shutting down');
  await closed;
}
