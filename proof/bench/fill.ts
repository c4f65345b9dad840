import { DatabaseSync } from '@photostructure/sqlite';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { AdvancingClock } from '../../lib/advancing-clock';
import { DAY, HOUR } from '../../lib/clock';
import { acceptedMessage, type Message, type MessageFacts } from '../../domain/messages/message';
import { wibDay } from '../../domain/wib';
import { createSandbox } from '../../sandbox/sandbox';
import { COUNT_LISTS } from './count-lists';
import { historyEntry } from '../../stores/embedded/messages/message-codec';
import { MESSAGE } from '../../stores/embedded/messages/message-fields';
import { SOME_FACTS } from '../../test/support/message';
import { endingOf, PlayedMessage } from './played-message';
import { seed } from './seed';

type Handle = InstanceType<typeof DatabaseSync>;

/** Messages per transaction. */
const BATCH = 10_000;
/** ms between two messages of a workspace: some 1,100 a minute, within the rate of a premium account. */
const SPACING = 55;
const HTML = `<p>Halo {{nama|Kak}}</p>${'<p>Pesanan Anda sedang kami siapkan dan akan segera dikirim.</p>'.repeat(14)}`;

/** A data dir as a service would leave it: workspaces and messages with their full history, some still waiting. */
export class Filling {
  private readonly db: Handle;
  private readonly mails: Handle;
  private filled = 0;

  private constructor(
    dataDir: string,
    private readonly workspaces: number,
    private readonly start: number,
  ) {
    this.db = openUnsynced(join(dataDir, 'kurir.sqlite'));
    this.mails = openUnsynced(join(dataDir, 'sandbox.sqlite'));
  }

  static async begin(dataDir: string, workspaces: number): Promise<Filling> {
    const clock = new AdvancingClock();
    await seed({ dataDir, secret: randomBytes(32).toString('hex'), workspaces });
    const reports = (): { host: string; port: number } => ({ host: '127.0.0.1', port: 1 });
    await createSandbox({ file: join(dataDir, 'sandbox.sqlite'), clock, port: 0, reports, hostname: 'bench' }).close();
    const filling = new Filling(dataDir, workspaces, clock.now() - 30 * DAY);
    filling.prepare();
    return filling;
  }

  /** Adds messages until there are this many. */
  upTo(messages: number): void {
    while (this.filled < messages) {
      const end = Math.min(messages, this.filled + BATCH);
      for (const db of [this.db, this.mails]) db.exec('BEGIN');
      const statements = prepareInserts(this.db, this.mails);
      for (; this.filled < end; this.filled += 1) this.insert(statements, this.filled);
      for (const db of [this.db, this.mails]) db.exec('COMMIT');
    }
    this.addUp();
  }

  close(): void {
    this.db.close();
    this.mails.close();
  }

  /** Sets the last lease of the service to before the end of any wait for a report. */
  private prepare(): void {
    this.db.exec(
      `INSERT INTO leases (name, owner, epoch, expires_at) VALUES ('throttle/0', 'embedded', 1, ${this.start + HOUR})`,
    );
    for (let id = 1; id <= this.workspaces; id += 1) {
      const contact = `VALUES (${id}, ${id}, 'pelanggan@example.test', 'hash', 'subscribed', 0, 0, 0)`;
      this.db.exec(
        `INSERT INTO contacts (id, workspace_id, email, email_hash, status, subscribed_at, created_at, updated_at) ${contact}`,
      );
    }
  }

  /** One message in fifty is still queued. */
  private insert(statements: Inserts, n: number): void {
    const workspaceId = (n % this.workspaces) + 1;
    const createdAt = this.start + Math.floor(n / this.workspaces) * SPACING;
    const played = new PlayedMessage(newMessage(workspaceId, createdAt));
    if (n % 50 !== 0) played.play(endingOf(n));
    statements.write(n + 1, played);
  }

  /** Balances, day counters and the blocks of lists that belong to the rows. */
  private addUp(): void {
    this.db.function('wib_day', (at: number) => wibDay(at));
    this.db.exec(`BEGIN; DELETE FROM send_days;
      INSERT INTO send_days SELECT wib_day(claimed_at), workspace_id, count(*) FROM attempts GROUP BY 1, 2;
      INSERT INTO send_days SELECT day, 0, sum(claims) FROM send_days GROUP BY day;
      DELETE FROM list_blocks; DELETE FROM message_blocks; ${COUNT_LISTS.join('; ')};
      UPDATE balances SET balance = (SELECT sum(amount) FROM ledger l WHERE l.workspace_id = balances.workspace_id);
      COMMIT; PRAGMA wal_checkpoint(TRUNCATE)`);
  }
}

function openUnsynced(file: string): Handle {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -256000');
  return db;
}

function newMessage(workspaceId: number, createdAt: number): Message {
  const to = 'pelanggan@example.test';
  const facts: MessageFacts = {
    ...SOME_FACTS,
    id: uuidv7({ msecs: createdAt }),
    workspaceId,
    contactId: workspaceId,
    domainId: workspaceId,
    to,
    toText: to,
    subject: 'Pesanan Anda dikirim',
    fromEmail: `no-reply@w${workspaceId}.bench.example`,
    fromName: 'Bench',
    createdAt,
  };
  return acceptedMessage(facts, null);
}

interface Inserts {
  write(seq: number, played: PlayedMessage): void;
}

function prepareInserts(db: Handle, mails: Handle): Inserts {
  const columns = ['seq', ...MESSAGE.columns, 'history'];
  const message = db.prepare(
    `INSERT INTO messages (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  const body = db.prepare('INSERT INTO bodies (seq, html) VALUES (?, ?)');
  const key = db.prepare('INSERT INTO idempotency (workspace_id, key, seq) VALUES (?, ?, ?)');
  const attempt = db.prepare('INSERT INTO attempts VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const ledger = db.prepare(
    'INSERT INTO ledger (workspace_id, id, kind, amount, message_id, at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const mail = mails.prepare(
    `INSERT INTO mails (received_at, message_id, envid, mail_from, recipients, header_from, subject, size)
     VALUES (?, ?, ?, '', '[]', '', '', 0)`,
  );
  return {
    write: (seq, played) => {
      const { message: m } = played;
      message.run(seq, ...MESSAGE.bind(m), played.history.map(historyEntry).join(''));
      body.run(seq, HTML);
      if (seq % 2 === 0) key.run(m.workspaceId, `pesanan-${seq}`, seq);
      for (const a of played.attempts) {
        attempt.run(seq, a.n, a.workspaceId, a.claimedAt, a.fencedAt, a.finishedAt, a.outcome, a.reply);
      }
      for (const row of played.ledger) {
        ledger.run(row.workspaceId, row.id, row.kind, row.amount, row.messageId, row.at);
      }
      if (played.attempts.at(-1)?.outcome === 'sent') mail.run(m.createdAt, m.id, m.id);
    },
  };
}
