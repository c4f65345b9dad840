import { hostname } from 'node:os';
import { PostfixLog, placeOf } from '../../consumers/postfix-log';
import type { Services } from '../shared-services';
import type { Part } from '../core/part';

/** What follows the log of the sending server; null unless `KURIR_POSTFIX_LOG` names it. */
export function openPostfixLog(services: Services): PostfixLog | null {
  const { config, engine, keyring, clock, logger, bounceRules: rules, processLease } = services;
  const { postfixLog: path, mtaUrl, evidenceWait } = config;
  if (path === null || mtaUrl === null) return null;
  const { stores, log } = engine;
  const { owner } = processLease;
  const leaseName = (): string => {
    const token = processLease.newToken();
    return token.slice(0, token.lastIndexOf('.'));
  };
  const place = placeOf(hostname(), path, new URL(mtaUrl).host);
  return new PostfixLog({
    path,
    place,
    stores,
    log,
    keyring,
    clock,
    logger,
    rules,
    evidenceWait,
    owner,
    leaseName,
  });
}

/** The follower as a part of the program. It starts before dispatch, and ends after it. */
export const postfixLogPart = (log: PostfixLog, { health }: Services): Part => ({
  name: 'log of the sending server',
  start: () => {
    health.watch('log of the sending server', async () => log.look(), 'missed');
    return log.start();
  },
  stop: () => log.stop(),
});
