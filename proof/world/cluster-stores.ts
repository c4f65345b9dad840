import { SECOND, type Clock } from '../../lib/clock';
import { mongoAudit } from '../../stores/mongodb/audit/audit-source';
import { HOLDERS } from '../../stores/mongodb/log/outbox';
import { mongoStores } from '../../stores/mongodb/stores';
import type { AuditSource } from '../../stores/ports/audit-source';
import type { Engine } from '../../stores/ports/engine';
import type { LogView } from '../../streams/log-view';
import type { DrawnFaults } from './drawn-faults';
import type { ReplicaSet } from './replica-set/client';
import { connectionLost } from './replica-set/errors';
import type { Wire } from './replica-set/wire';
import type { Profile } from './profile';
import type { World } from './world';

/** Of its database, and of the clients that its processes open. */
export const DATABASE = 'kurir';
/** How long the members may be without a primary, ms. */
const LONGEST_ELECTION = 8 * SECOND;
/** The longest way of a call, there and back, ms. */
const WAY = 3;

/** The stores of the cluster engine over the model of a replica set; the log is that of the engine it stands in for. */
export class ClusterStores {
  /** Until when there is no primary, ms of the world. */
  private electsUntil = 0;

  constructor(
    private readonly replicaSet: ReplicaSet,
    private readonly world: World,
    private readonly faults: DrawnFaults,
    private readonly profile: Pick<Profile, 'faults'>,
  ) {}

  /** A process with its own client. */
  over(engine: Engine, clock: Clock): Engine {
    const mongo = this.replicaSet.connect(DATABASE, this.wire());
    const stored = mongoStores(mongo, {
      clock,
      publish: (records) => engine.log.publish(records),
    });
    stored.sweeper.start();
    return {
      stores: stored.stores,
      log: engine.log,
      close: async () => {
        await stored.close();
        await mongo.close();
        await engine.close();
      },
    };
  }

  /** True while there are writes whose records the log has not confirmed: the sweeper publishes them. */
  get hasUnpublished(): boolean {
    const rows = HOLDERS.flatMap((holder) => [...this.replicaSet.storage.table(holder).rows.values()]);
    return rows.some(({ versions }) => versions.at(-1)?.document?.['outboxAt'] !== undefined);
  }

  audit(log: LogView): Promise<AuditSource> {
    return mongoAudit(this.replicaSet.connect(DATABASE), log);
  }

  private wire(): Wire {
    return {
      call: async (name, run, session) => {
        const lost = (): Error => {
          const error = connectionLost();
          if (name === 'commit') error.addErrorLabel('UnknownTransactionCommitResult');
          else if (session?.inTransaction()) error.addErrorLabel('TransientTransactionError');
          return error;
        };
        this.mayElect();
        await this.faults.pause(this.world.random.network.between(0, WAY));
        // The driver looks for a primary until it finds one.
        while (this.world.now < this.electsUntil) await this.faults.pause(this.electsUntil - this.world.now);
        return this.faults.around('mongodb', name, async () => run(), lost);
      },
    };
  }

  /** Rarely the primary goes: open transactions are gone, and what was committed stays. */
  private mayElect(): void {
    if (!this.faults.isOn || !this.world.random.faults.chance(this.profile.faults.error / 10)) return;
    this.electsUntil = this.world.now + this.world.random.faults.between(SECOND / 10, LONGEST_ELECTION);
    this.replicaSet.storage.abortAll();
    this.faults.happen('election', 'election');
  }
}
