import { readFile, stat } from 'node:fs/promises';
import type { Logger } from '../../../lib/logger';
import { WorkerLoop } from '../../../lib/worker-loop';
import type { CertificatePair } from '../../../lib/certificate';
import { checkPair, type CertificateFacts } from '../../../lib/certificate';

/** A certificate (PEM, with its chain) and its key, in files. */
export interface CertificateFiles {
  certFile: string;
  keyFile: string;
}

export interface CertificateWatch {
  files: CertificateFiles;
  /** Called with each new pair that was checked. */
  onChange: (pair: CertificatePair, facts: CertificateFacts) => void;
  logger: Pick<Logger, 'info' | 'warn'>;
  /** Real time between looks at the files, ms. */
  every?: number;
}

const LOOK_EVERY = 5_000;

/** Reads and checks a pair. Rejects with an Error that says why it cannot serve. */
export async function readPair({ certFile, keyFile }: CertificateFiles): Promise<CertificatePair> {
  const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')]);
  checkPair({ cert, key });
  return { cert, key };
}

/**
 * Watches the files of a certificate, so that a renewed one is taken up without a restart. A pair that is not yet
 * complete, or is no pair, changes nothing; the log says so once for each state of the files.
 */
export class CertificateWatcher {
  private readonly loop: WorkerLoop;
  private seen = '';

  constructor(private readonly watch: CertificateWatch) {
    const { every = LOOK_EVERY, logger } = watch;
    this.loop = new WorkerLoop({
      iterate: async () => {
        await this.look();
        return every;
      },
      onError: (err) => logger.warn({ err }, 'the certificate files of the relay could not be checked'),
      ref: false,
    });
  }

  /** Reads the pair, and watches from then on. Rejects with an Error that says why it cannot serve. */
  async start(): Promise<CertificatePair> {
    this.seen = await this.state();
    const pair = await readPair(this.watch.files);
    this.loop.start(this.watch.every ?? LOOK_EVERY);
    return pair;
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  private async look(): Promise<void> {
    const { files, onChange, logger } = this.watch;
    const state = await this.state();
    if (state === this.seen) return;
    this.seen = state;
    try {
      const pair = await readPair(files);
      const facts = checkPair(pair);
      onChange(pair, facts);
      const ends = new Date(facts.validTo).toISOString();
      logger.info({ fingerprint: facts.fingerprint, ends }, 'the relay uses a new certificate');
    } catch (err) {
      logger.warn({ err, ...files }, 'the new relay certificate cannot be used; the previous one stays in use');
    }
  }

  private async state(): Promise<string> {
    const { certFile, keyFile } = this.watch.files;
    const states = await Promise.all([certFile, keyFile].map(stateOf));
    return states.join('\n');
  }
}

async function stateOf(file: string): Promise<string> {
  try {
    const { ino, size, mtimeMs, ctimeMs } = await stat(file);
    return [ino, size, mtimeMs, ctimeMs].join(' ');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown error';
  }
}
