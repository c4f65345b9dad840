import { describe } from '@jest/globals';
import { clusterInstallation } from '../../proof/crash/cluster-installation';
import type { Installation } from '../../proof/crash/installation';
import { describeOnCluster, uniqueName } from './real-services';
import { temporaryInstallation } from './running';

/** Runs the body on each engine; `install` creates a new, empty installation. */
export function describeOnEngines(title: string, body: (install: () => Installation) => void): void {
  describe(`${title}, on the embedded engine`, () => body(temporaryInstallation));
  describeOnCluster(`${title}, on the cluster engine`, (urls) => body(() => clusterInstallation(urls, uniqueName())));
}
