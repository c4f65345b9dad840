import { openMongoPersonalData } from '../../stores/mongodb/audit/personal-data';
import type { PersonalDataSource } from '../../stores/ports/personal-data';
import { openRedisPersonalData } from '../../stores/redis/personal-data';
import { AdvancingClock } from '../../lib/advancing-clock';
import type { ClusterConfig } from '../../operations/config/cluster-config';
import { openClusterBeside } from './open-cluster';

/** Opens what MongoDB, Kafka and Redis store. Throws StartError and the errors of the stores. */
export async function openClusterPersonalData(config: ClusterConfig): Promise<PersonalDataSource> {
  const engine = await openClusterBeside(config, new AdvancingClock());
  const undo = [() => engine.close()];
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const stores = await openMongoPersonalData(config.mongo, engine.log);
    undo.push(() => stores.close());
    const redis = await openRedisPersonalData(config.redisUrl);
    undo.push(() => redis.close());
    return {
      async *find(search, onLooked) {
        let before = 0;
        for (const source of [stores, redis]) {
          let looked = 0;
          yield* source.find(search, (count) => onLooked(before + (looked = count)));
          before += looked;
        }
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
