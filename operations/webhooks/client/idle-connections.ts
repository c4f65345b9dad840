import type { Connection } from './connection';

/** Connections that wait for more work, by origin and address. Those used longest ago make room for others. */
export class IdleConnections {
  /** The least recently used key first; in each the least recently used connection. */
  private readonly waiting = new Map<string, Connection[]>();
  private count = 0;

  constructor(private readonly max: number) {}

  get size(): number {
    return this.count;
  }

  /** Takes the most recently used connection; null when there is none. */
  take(key: string): Connection | null {
    const connections = this.waiting.get(key) ?? [];
    while (connections.length > 0) {
      const connection = connections.pop() as Connection;
      this.left(key, connections);
      if (connection.isUsable) return connection;
    }
    return null;
  }

  /** One connection more; over the bound, the oldest is closed. */
  put(key: string, connection: Connection): void {
    const connections = this.waiting.get(key) ?? [];
    connections.push(connection);
    this.waiting.delete(key);
    this.waiting.set(key, connections);
    this.count += 1;
    if (this.count > this.max) this.dropOldest();
  }

  /** Call when a connection was closed. */
  remove(key: string, connection: Connection): void {
    const connections = this.waiting.get(key) ?? [];
    const at = connections.indexOf(connection);
    if (at === -1) return;
    connections.splice(at, 1);
    this.left(key, connections);
  }

  closeAll(): void {
    while (this.count > 0) this.dropOldest();
  }

  private dropOldest(): void {
    const [oldest] = this.waiting;
    const connection = oldest?.[1].shift();
    if (!oldest || !connection) return;
    this.left(...oldest);
    connection.close();
  }

  private left(key: string, connections: Connection[]): void {
    this.count -= 1;
    if (connections.length === 0) this.waiting.delete(key);
  }
}
