import { CertificateWatcher, type CertificateFiles } from '../../smtp/relay/tls/certificate-files';
import { checkPair, type CertificateFacts } from '../../lib/certificate';
import { readOrMakeOwnCertificate } from '../../smtp/relay/tls/own-certificate';
import type { CertificatePair } from '../../lib/certificate';
import type { Logger } from '../../lib/logger';
import { StartError } from '../../lib/start-error';

export interface RelayCertificateOptions {
  /** Null: a certificate that Kurir makes. */
  files: CertificateFiles | null;
  /** Where that one is kept. */
  file: string;
  /** Host names and addresses for it. */
  names: readonly [string, ...string[]];
  /** Real time, ms. */
  now: () => number;
  logger: Pick<Logger, 'info' | 'warn'>;
}

/** The certificate of the relay: from the configured files, which are watched, else a self-made one. */
export class RelayCertificate {
  private watcher: CertificateWatcher | null = null;
  private known: CertificateFacts | null = null;

  constructor(private readonly options: RelayCertificateOptions) {}

  /** True for the self-made one. */
  get isOwn(): boolean {
    return this.options.files === null;
  }

  /** Of the pair in use. Throws before `open`. */
  get facts(): CertificateFacts {
    if (!this.known) throw new Error('the certificate is not open yet');
    return this.known;
  }

  /** Reads the pair, or makes it; `onChange` gets each later one. Throws StartError. */
  async open(onChange: (pair: CertificatePair) => void): Promise<CertificatePair> {
    const pair = await this.read(onChange);
    this.known = checkPair(pair);
    return pair;
  }

  async close(): Promise<void> {
    await this.watcher?.stop();
  }

  private async read(onChange: (pair: CertificatePair) => void): Promise<CertificatePair> {
    const { files, file, names, now, logger } = this.options;
    try {
      if (!files) return readOrMakeOwnCertificate(file, names, now());
      const take = (pair: CertificatePair, facts: CertificateFacts): void => {
        this.known = facts;
        onChange(pair);
      };
      this.watcher = new CertificateWatcher({ files, onChange: take, logger });
      return await this.watcher.start();
    } catch (error) {
      const reason = (error as Error).message;
      throw new StartError(
        files
          ? `The certificate of the SMTP relay (${files.certFile}, ${files.keyFile}) cannot be used: ${reason}`
          : `The SMTP relay has no certificate, and one cannot be stored in KURIR_DATA_DIR: ${reason}. Set KURIR_SMTP_TLS_CERT and KURIR_SMTP_TLS_KEY.`,
        { cause: error },
      );
    }
  }
}
