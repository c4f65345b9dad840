import { describe } from '@jest/globals';
import { EVERYTHING, NAMED } from '../support/everything';
import { onMongodb, openModel } from './cluster/open';
import { openTemporaryCopied, openTemporaryThreaded } from './embedded/open';
import { openWrapped } from './faulty/open';
import type { OpenEngine } from './harness';

/** What a driver must do, as cases that open it. */
export type Suite = (open: OpenEngine) => void;

/** Drivers on files. `again`: the same store once more, for the night gate and where files are named. */
const ON_FILES = [
  { title: 'embedded', open: openTemporaryCopied, again: false },
  { title: 'threaded', open: openTemporaryThreaded, again: true },
  { title: 'faulty', open: openWrapped, again: true },
  { title: 'model', open: openModel, again: true },
];

/**
 * Runs a suite against every driver. `-t embedded`, `-t threaded`, `-t faulty`, `-t model` or `-t cluster` chooses one
 * of them. `onCluster` says which servers of the cluster it needs.
 */
export function onEveryDriver(suite: Suite, onCluster: (suite: Suite) => void = onMongodb): void {
  for (const { title, open, again } of ON_FILES) if (EVERYTHING || NAMED || !again) describe(title, () => suite(open));
  describe('cluster', () => onCluster(suite));
}
