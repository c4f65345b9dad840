import type { KafkaClient } from '../client';
import type { KafkaServers } from '../options';

export const kafkajsClient = (_servers: KafkaServers, _onProblem: (error: unknown) => void): KafkaClient => {
  throw new Error('soon');
};
