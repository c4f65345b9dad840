/** Every variable, as documented: its default as written in `.env.example`, and its purpose. */
export const VARIABLES = {
  KURIR_ENGINE: { default: 'embedded', about: 'embedded (SQLite, one process) or cluster (Kafka, MongoDB, Redis)' },
  KURIR_ROLES: {
    default: '',
    about: 'roles of this process, comma-separated, as with --roles; empty: all (cluster only)',
  },
  KURIR_DATA_DIR: {
    default: './data',
    about: 'folder for all data of the embedded engine, and for the mail of the sandbox',
  },
  KURIR_DASHBOARD: { default: 'true', about: 'false: neither the dashboard at /app nor the management API at /admin' },
  KURIR_DASHBOARD_PORT: {
    default: '0',
    about: 'port of its own for the dashboard and the management API; 0: that of the API',
  },
  KURIR_DASHBOARD_URL: {
    default: '',
    about: 'address of the dashboard; empty: its own host and port, else KURIR_PUBLIC_URL',
  },
  KURIR_OIDC_ISSUER: {
    default: '',
    about: 'OpenID provider at which people sign in to the dashboard (docs/dashboard.md#single-sign-on); empty: none',
  },
  KURIR_OIDC_CLIENT_ID: { default: '', about: 'the client that Kurir is at the provider' },
  KURIR_OIDC_CLIENT_SECRET: { default: '', about: 'its secret; empty: a public client' },
  KURIR_OIDC_CLIENT_SECRET_FILE: { default: '', about: 'file with KURIR_OIDC_CLIENT_SECRET, instead of it' },
  KURIR_OIDC_ROLE_CLAIM: {
    default: '',
    about: 'claim of the provider that gives roles, such as groups; empty: roles are given in Kurir only',
  },
  KURIR_OIDC_ROLES: {
    default: '',
    about: 'what its values give, comma-separated: admins=operator,shop=editor@3 (role@workspace)',
  },
  KURIR_OIDC_ONLY: { default: 'false', about: 'true: no other way to sign in to the dashboard' },
  KURIR_HTTP_HOST: { default: '127.0.0.1', about: 'address the REST API and the public pages listen on' },
  KURIR_HTTP_PORT: { default: '8080', about: 'port of the REST API and the public pages' },
  KURIR_SMTP_PORT: { default: '2587', about: 'SMTP relay, STARTTLS' },
  KURIR_SMTPS_PORT: { default: '2465', about: 'SMTP relay, TLS from the start' },
  KURIR_SMTP_TLS_CERT: {
    default: '',
    about: 'certificate file of the SMTP relay (PEM, with its chain); empty: KURIR_TLS_CERT, or else one made by Kurir',
  },
  KURIR_SMTP_TLS_KEY: { default: '', about: 'its key file (PEM)' },
  KURIR_SMTP_CONNECTIONS: { default: '2000', about: 'connections to the SMTP relay at a time, in each process' },
  KURIR_SMTP_CONNECTIONS_PER_ADDRESS: { default: '50', about: 'the same from one address (IPv6: from one /64)' },
  KURIR_SMTP_MEMORY: { default: '96', about: 'memory for mails above 64 kB that the SMTP relay receives, MB' },
  KURIR_BOUNCE_PORT: { default: '2525', about: 'listener for delivery reports (DSN) and complaints (ARF)' },
  KURIR_BOUNCE_RULES: {
    default: '',
    about: "file with further rules for reading refusals, tried before Kurir's own (docs/bounces.md#rules)",
  },
  KURIR_DESTINATION_RULES: {
    default: '',
    about:
      "rules of pacing by destination, instead of Kurir's own (docs/deliverability.md#rules-of-destinations); off: none",
  },
  KURIR_DNS: {
    default: '',
    about: "DNS servers that tell who is behind recipients' domains, comma-separated; empty: the system's; off: none",
  },
  KURIR_HOOK_SECRET: {
    default: '',
    about: 'secret of POST /hooks/mta, for servers that report by HTTP (docs/mta-events.md); empty: no such hook',
  },
  KURIR_HOOK_SECRET_FILE: { default: '', about: 'file with KURIR_HOOK_SECRET, instead of it' },
  KURIR_SANDBOX_PORT: { default: '2526', about: 'the sandbox sending server' },
  KURIR_METRICS_PORT: { default: '9464', about: 'metrics for Prometheus at /metrics, in every process; 0: none' },
  KURIR_SANDBOX_REPORTS: {
    default: '',
    about: 'host:port to which the sandbox sends its reports; empty: the report listener of its process',
  },
  KURIR_MTA_URL: {
    default: '',
    about: 'the sending server, smtp:// or smtps://, or several as name=URL; empty: the sandbox',
  },
  KURIR_MTA_URL_FILE: { default: '', about: 'file with KURIR_MTA_URL, instead of it' },
  KURIR_MTA_ROUTES: {
    default: '',
    about: 'which mail goes over which of several servers (docs/sending-server.md#several-servers); empty: the first',
  },
  KURIR_POSTFIX_LOG: {
    default: '',
    about:
      'log file of the Postfix at KURIR_MTA_URL, the first there, to follow (docs/postfix.md#its-log); empty: none',
  },
  KURIR_DEMO: {
    default: '',
    about: 'true or false: make a demo workspace at the first start; empty: only with the sandbox (embedded)',
  },
  KURIR_PUBLIC_URL: { default: '', about: 'base of tracking links and pages; empty: the real host and port' },
  KURIR_SANDBOX_PUBLIC: {
    default: 'false',
    about:
      'true: the sandbox may be where others reach it, though it shows all mail to anyone (docs/sandbox.md#who-may-see-it)',
  },
  KURIR_INSECURE_HTTP: {
    default: 'false',
    about: 'true: KURIR_PUBLIC_URL may be http:// though its host is not loopback',
  },
  KURIR_UPGRADE_WAIT: {
    default: '1m',
    about: 'cluster: how long a start that changes the schema waits for processes of an older one (docs/upgrade.md)',
  },
  KURIR_EVIDENCE_WAIT: { default: '4d', about: 'how long to wait for the delivery report of a mail' },
  KURIR_REPORT_PEERS: {
    default: '',
    about: 'hosts whose delivery reports count, besides loopback and the MTA, comma-separated',
  },
  KURIR_SECRET: {
    default: '',
    about: 'master secret, 32 characters or more; empty: created and kept in the data dir (embedded)',
  },
  KURIR_SECRET_FILE: { default: '', about: 'file with KURIR_SECRET, instead of it' },
  KURIR_API_RATE_PER_MINUTE: { default: '60', about: 'API requests a minute for each key (or IP without one)' },
  KURIR_HOSTS: { default: '', about: 'further host names served, comma-separated' },
  KURIR_WEBHOOK_PRIVATE_HOSTS: {
    default: '',
    about: 'hosts that webhooks may reach though they are private, and without TLS, comma-separated; for development',
  },
  KURIR_WEBHOOKS_PER_ENDPOINT: { default: '10', about: 'webhook requests at a time to one endpoint, in each process' },
  KURIR_WEBHOOKS_PER_WORKSPACE: { default: '50', about: 'the same for all endpoints of one workspace' },
  KURIR_WEBHOOKS_IN_ALL: { default: '500', about: 'the same for all endpoints' },
  KURIR_WEBHOOK_LOG: { default: '30d', about: 'how long the log of webhook deliveries is kept' },
  KURIR_ALARM_URL: {
    default: '',
    about: 'URL that gets the alarms of the operator, signed (docs/deliverability.md#alarms); empty: none',
  },
  KURIR_ALARM_SECRET: { default: '', about: 'secret that signs them, 16 characters or more' },
  KURIR_ALARM_SECRET_FILE: { default: '', about: 'file with KURIR_ALARM_SECRET, instead of it' },
  KURIR_ALARM_MAIL: { default: '', about: 'address that gets the alarms as mail; empty: none' },
  KURIR_ALARM_SENDER: { default: '', about: 'sending domain that mails them; its workspace pays' },
  KURIR_BLOCKLISTS: {
    default: '',
    about:
      'DNS blocklists that the sending servers are looked up in, comma-separated; empty: those Kurir knows; off: none',
  },
  KURIR_CAMPAIGN_BRAKE_PERCENT: {
    default: '8',
    about: 'a campaign pauses when more of its latest mails bounce hard or draw complaints, percent; 0: never',
  },
  KURIR_UNMARKED_HOSTS: {
    default: '',
    about: 'hosts whose links get no svc_mid, nor those below them, comma-separated',
  },
  KURIR_KNOWN_CLIENTS: {
    default: '',
    about: 'file with agents and networks of scanners and image proxies, besides the known ones',
  },
  KURIR_TRUSTED_HOPS: { default: '0', about: 'number of reverse proxies in front whose X-Forwarded-For is trusted' },
  KURIR_TLS_CERT: { default: '', about: 'TLS certificate file (PEM); with KURIR_TLS_KEY the HTTP port speaks HTTPS' },
  KURIR_TLS_KEY: { default: '', about: 'TLS key file (PEM)' },
  KURIR_MTA_CONNECTIONS: { default: '20', about: 'parallel SMTP connections to each sending server' },
  KURIR_BODY_MEMORY: { default: '96', about: 'memory for the bodies of large requests until they are answered, MB' },
  KURIR_MAX_MAIL: { default: '30', about: 'the largest mail that is composed, with its merge tags filled, MB' },
  KURIR_MAIL_MEMORY: { default: '96', about: 'memory for large mails until they are handed over, MB' },
  KURIR_LOG_LEVEL: { default: 'info', about: 'trace, debug, info, warn, error, fatal or silent' },
  KURIR_LOG_FORMAT: { default: 'auto', about: 'auto (text on a terminal, JSON elsewhere), text or json' },
  KAFKA_BROKERS: { default: '', about: 'Kafka brokers, host:port, comma-separated (cluster)' },
  KAFKA_SASL_MECHANISM: { default: '', about: 'plain, scram-sha-256 or scram-sha-512; empty: no login at Kafka' },
  KAFKA_SASL_USERNAME: { default: '', about: 'user name at Kafka' },
  KAFKA_SASL_PASSWORD: { default: '', about: 'password at Kafka' },
  KAFKA_SASL_PASSWORD_FILE: { default: '', about: 'file with KAFKA_SASL_PASSWORD, instead of it' },
  KAFKA_TLS: { default: 'false', about: 'true: TLS to Kafka' },
  KAFKA_TLS_CA: {
    default: '',
    about: 'certificate authority of Kafka (PEM file); empty: those that the system trusts',
  },
  KURIR_KAFKA_PREFIX: { default: 'kurir.', about: 'prefix of the names of topics and consumer groups' },
  KURIR_PARTITIONS: {
    default: '12',
    about:
      'partitions of each topic at the first start; later `kurir topics grow` raises them (docs/cluster.md#partitions)',
  },
  MONGODB_URL: { default: '', about: 'MongoDB replica set, mongodb:// or mongodb+srv:// (cluster)' },
  MONGODB_URL_FILE: { default: '', about: 'file with MONGODB_URL, instead of it' },
  MONGODB_DATABASE: { default: 'kurir', about: 'database in it' },
  REDIS_URL: { default: '', about: 'Redis, redis:// or rediss:// (cluster)' },
  REDIS_URL_FILE: { default: '', about: 'file with REDIS_URL, instead of it' },
} as const;
export type VariableName = keyof typeof VARIABLES;

/** A variable that can hold a secret: `<name>_FILE` names a file to read it from. */
export type SecretName = { [Name in VariableName]: `${Name}_FILE` extends VariableName ? Name : never }[VariableName];
export const SECRETS = Object.keys(VARIABLES).filter((name): name is SecretName => `${name}_FILE` in VARIABLES);
