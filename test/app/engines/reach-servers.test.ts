import { expect, it } from '@jest/globals';
import { KafkaJSNonRetriableError, KafkaJSSASLAuthenticationError } from 'kafkajs';
import type { ClusterConfig, KafkaConfig } from '../../../operations/config/cluster-config';
import { clusterTools } from '../../../app/engines/cluster-admin';
import { openClusterBeside } from '../../../app/engines/open-cluster';
import { reachKafka } from '../../../app/engines/reach-servers';
import { unavailable } from '../../../streams/drivers/kafka/unavailable';
import { frozenClock } from '../../support/clock';
import { describeOn, uniqueName } from '../../support/real-services';

const kafka: KafkaConfig = {
  brokers: ['127.0.0.1:1'],
  sasl: { mechanism: 'scram-sha-256', username: 'kurir', password: 'hunter2' },
  tls: null,
  prefix: 'none.',
  partitions: 12,
};
const clusterAt = (url: string): ClusterConfig => ({
  kafka,
  mongo: { url, database: uniqueName() },
  redisUrl: 'redis://127.0.0.1:1',
  upgradeWait: 1_000,
});
const startError = (text: RegExp) =>
  expect.objectContaining({ name: 'StartError', message: expect.stringMatching(text) });
const NOT_WAITING = { signal: null, onWait: () => undefined };

it.each([
  [
    'mongodb://u:hunter2@127.0.0.1:99999/?replicaSet=rs0',
    /^MongoDB cannot be used with MONGODB_URL: it is not valid: .*99999/,
  ],
  ['mongodb://u:hunter2%et@127.0.0.1:1/', /MONGODB_URL: it is not valid: URI malformed. Write characters such as %/],
  ['mongodb://u:hunter2@127.0.0.1:1/?nonsense=1', /MONGODB_URL: it is not valid: option nonsense is not supported\./],
  ['mongodb://u:hunter2@127.0.0.1:1/?compressors=nonsense', /MONGODB_URL: it is not valid/],
  ['mongodb://127.0.0.1:1/?tls=true&tlsCAFile=/nowhere/ca.pem', /MONGODB_URL: a file .*\/nowhere\/ca\.pem/],
  // What the driver takes for host and option is the password.
  ['mongodb://u:hunter2/x@127.0.0.1:1/', /MONGODB_URL: it is not valid: Write characters such as/],
  ['mongodb://u:x?hunter2@127.0.0.1:1/', /MONGODB_URL: it is not valid: Write characters such as/],
])('%s: says what to mend, and nothing of the password', async (url, text) => {
  for (const open of [
    () => clusterTools(clusterAt(url)).collections(),
    () => openClusterBeside(clusterAt(url), frozenClock()),
  ]) {
    const error = await open().catch((error: unknown) => error);
    expect(error).toEqual(startError(text));
    expect((error as Error).message).not.toContain('hunter2');
  }
});

/** The library's constructors take a message, which its types do not say. */
const loginError = (message: string): Error => Reflect.construct(KafkaJSSASLAuthenticationError, [message]) as Error;

it('a login that Kafka refuses names its variables', async () => {
  const cause = loginError('SASL SCRAM SHA256 authentication failed: invalid credentials');
  const refused = unavailable('asking the servers', Object.assign(new KafkaJSNonRetriableError('gave up'), { cause }));
  await expect(
    reachKafka(clusterAt('mongodb://127.0.0.1:1'), NOT_WAITING, () => Promise.reject(refused)),
  ).rejects.toEqual(
    startError(
      /^Kafka at 127\.0\.0\.1:1 \(KAFKA_BROKERS\) refuses the login: .* invalid credentials\. .*KAFKA_SASL_PASSWORD/,
    ),
  );
});

it('a login that broke off is none that was refused', async () => {
  const cut = unavailable('asking the servers', loginError('SASL PLAIN authentication failed: Closed connection'));
  await expect(reachKafka(clusterAt('mongodb://127.0.0.1:1'), NOT_WAITING, () => Promise.reject(cut))).rejects.toEqual(
    startError(/cannot be reached/),
  );
});

describeOn(['mongodb', 'kafka'], 'servers that refuse a login', (urls) => {
  it('MongoDB: names MONGODB_URL', async () => {
    const url = urls.mongodb.replace('//', '//someone:hunter2@');
    const error = await clusterTools(clusterAt(url))
      .collections()
      .catch((error: unknown) => error);
    expect(error).toEqual(startError(/^MongoDB cannot be used with MONGODB_URL: the login was refused/));
    expect((error as Error).message).not.toMatch(/hunter2|someone/);
  });

  it('Kafka: names the variables of the login', async () => {
    const config = { ...clusterAt(urls.mongodb), kafka: { ...kafka, brokers: urls.kafka.split(',') } };
    await expect(clusterTools(config).topics()).rejects.toEqual(startError(/refuses the login: .*KAFKA_SASL_USERNAME/));
  });
});
