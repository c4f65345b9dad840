import { DatabaseSync } from '@photostructure/sqlite';

export type Handle = InstanceType<typeof DatabaseSync>;

/** How the data file is opened. The simulated world replaces it by a disk of its own (proof/world/disk.ts). */
export const sqliteFile = { open: (file: string): Handle => new DatabaseSync(file) };
