import { DatabaseSync } from '@photostructure/sqlite';
import type { Handle } from '../../stores/embedded/database/sqlite-file';

type Statement = ReturnType<Handle['prepare']>;

/** Hears of what happens at a file. */
export interface FileWatch {
  /** Before every use; throws if nobody may use it any more. */
  reached(): void;
  begin(handle: Handle): void;
  rollback(handle: Handle): void;
  /** In place of the commit, which is `run`. */
  commit(handle: Handle, run: () => void): void;
  closed(handle: Handle): void;
}

/** The statements of stores/embedded/database that begin and end a transaction. */
const BEGIN = 'BEGIN IMMEDIATE';
const COMMIT = 'COMMIT';

/** A data file on the disk of the world. */
export class WorldFile extends DatabaseSync {
  constructor(
    file: string,
    private readonly watch: FileWatch,
  ) {
    super(file);
  }

  override prepare(...args: Parameters<Handle['prepare']>): Statement {
    const { watch } = this;
    watch.reached();
    const statement = super.prepare(...args);
    if (args[0] === BEGIN) return around(statement, (run) => (watch.begin(this), run()));
    return args[0] === COMMIT ? around(statement, (run) => watch.commit(this, run)) : statement;
  }

  override exec(sql: string): void {
    this.watch.reached();
    if (sql === 'ROLLBACK') this.watch.rollback(this);
    super.exec(sql);
  }

  override close(): void {
    this.watch.closed(this);
    super.close();
  }
}

/** The statement, whose runs are `call`'s to make. */
function around(statement: Statement, call: (run: () => void) => void): Statement {
  const run = (): ReturnType<Statement['run']> => {
    let result: ReturnType<Statement['run']> = { changes: 0, lastInsertRowid: 0 };
    call(() => void (result = statement.run()));
    return result;
  };
  return { run } as Statement;
}
