import { describe } from '@jest/globals';
import { LONG } from '../support/everything';
import { onMongodb, openModel } from './cluster/open';
import { openTemporary, openTemporaryThreaded } from './embedded/open';
import { openWrapped } from './faulty/open';
import type { OpenEngine } from './harness';

/** What a driver must do, as cases that open it. */
export type Suite = (open: OpenEngine) => void;

/** Drivers on files. `long`: the same store once more, which `npm test` leaves out unless files are named. */
const ON_FILES = [
  { title: 'embedded', open: openTemporary, long: false },
  { title: 'threaded', open: openTemporaryThreaded, long: true },
  { title: 'faulty', open: openWrapped, long: true },
  { title: 'model', open: openModel, long: true },
];

/**
 * Runs a suite against every driver. `-t embedded`, `-t threaded`, `-t faulty`, `-t model` or `-t cluster` chooses one
 * of them. `onCluster` says which servers of the cluster it needs.
 */
export function onEveryDriver(suite: Suite, onCluster: (suite: Suite) => void = onMongodb): void {
  for (const { title, open, long } of ON_FILES) if (LONG || !long) describe(title, () => suite(open));
  describe('cluster', () => onCluster(suite));
}
