import { RESUME_DEMO, suspendDemo } from '../../operations/installation/demo-mail';
import type { Services } from '../shared-services';
import type { Part } from '../core/part';

/** Started before anything takes or hands over mail: the demo workspace may not send by a real sending server. */
export const demoPart = ({ engine, config, clock, logger }: Services): Part => ({
  name: 'demo workspace',
  start: async () => {
    const workspaceId = await suspendDemo(engine.stores, config, clock.now());
    if (workspaceId === null) return;
    const resume = RESUME_DEMO.replace('<id>', String(workspaceId));
    logger.warn(
      { workspaceId, resume },
      'the demo workspace was suspended: others may know its API key, and email now goes to a real sending server',
    );
  },
  stop: async () => undefined,
});
