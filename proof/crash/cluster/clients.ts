import { Kafka, logLevel, type Admin } from 'kafkajs';
import { MongoClient } from 'mongodb';

/** The variables of an installation on the cluster engine. */
type Env = Readonly<Record<string, string>>;

/** Does the work with an administrator of Kafka and the prefix of the installation's topics. */
export async function withKafka<T>(env: Env, work: (admin: Admin, prefix: string) => Promise<T>): Promise<T> {
  const { KAFKA_BROKERS: brokers = '', KURIR_KAFKA_PREFIX: prefix = '' } = env;
  const kafka = new Kafka({ clientId: 'kurir-crash', brokers: brokers.split(','), logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  try {
    return await work(admin, prefix);
  } finally {
    await admin.disconnect();
  }
}

/** Does the work with a client of MongoDB. */
export async function withMongo<T>(env: Env, work: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = new MongoClient(env['MONGODB_URL'] ?? '');
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}
