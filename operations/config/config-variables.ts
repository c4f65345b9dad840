/** Every variable, as documented: its default as written in `.env.example`, and its purpose. */
export const VARIABLES = {
  KURIR_ENGINE: { default: 'embedded', about: 'embedded (SQLite, one process) or cluster (Kafka, MongoDB, Redis)' },
  KURIR_ROLES: {
    default: '',
    about: 'roles of this process, comma-separated, as with --roles; empty: all (cluster only)',
  },
  KURIR_DATA_DIR: {
    default: './data',
    about: 'directory for all data of the embedded engine, and for the emails of the sandbox',
  },
  KURIR_DASHBOARD: { default: 'true', about: 'false turns off the dashboard at /app and the management API at /admin' },
  KURIR_DASHBOARD_PORT: {
    default: '0',
    about: 'separate port for the dashboard and the management API; 0: same port as the API',
  },
  KURIR_DASHBOARD_URL: {
    default: '',
    about: 'URL of the dashboard; empty: its own host and port, otherwise KURIR_PUBLIC_URL',
  },
  KURIR_OIDC_ISSUER: {
    default: '',
    about: 'OpenID provider for sign-in to the dashboard (docs/dashboard.md#single-sign-on); empty: none',
  },
  KURIR_OIDC_CLIENT_ID: { default: '', about: 'client ID of Kurir at the provider' },
  KURIR_OIDC_CLIENT_SECRET: { default: '', about: 'client secret; empty: a public client' },
  KURIR_OIDC_CLIENT_SECRET_FILE: { default: '', about: 'file with KURIR_OIDC_CLIENT_SECRET, as an alternative' },
  KURIR_OIDC_ROLE_CLAIM: {
    default: '',
    about: 'claim of the provider that contains roles, such as groups; empty: roles are set in Kurir only',
  },
  KURIR_OIDC_ROLES: {
    default: '',
    about: 'roles for the values of the claim, comma-separated: admins=operator,shop=editor@3 (role@workspace)',
  },
  KURIR_OIDC_ONLY: { default: 'false', about: 'true: allow single sign-on only' },
  KURIR_HTTP_HOST: { default: '127.0.0.1', about: 'IP address that the REST API and the public pages listen on' },
  KURIR_HTTP_PORT: { default: '8080', about: 'port of the REST API and the public pages' },
  KURIR_SMTP_PORT: { default: '2587', about: 'port of the SMTP relay with STARTTLS' },
  KURIR_SMTPS_PORT: { default: '2465', about: 'port of the SMTP relay with implicit TLS' },
  KURIR_SMTP_TLS_CERT: {
    default: '',
    about:
      'certificate file of the SMTP relay (PEM, with its chain); empty: KURIR_TLS_CERT, otherwise a self-signed one',
  },
  KURIR_SMTP_TLS_KEY: { default: '', about: 'key file of the SMTP relay (PEM)' },
  KURIR_SMTP_CONNECTIONS: {
    default: '2000',
    about: 'maximum number of connections to the SMTP relay, in each process',
  },
  KURIR_SMTP_CONNECTIONS_PER_ADDRESS: {
    default: '50',
    about: 'maximum number of connections from one IP address (IPv6: from one /64)',
  },
  KURIR_SMTP_MEMORY: { default: '96', about: 'memory for messages above 64 kB that the SMTP relay receives, MB' },
  KURIR_BOUNCE_PORT: { default: '2525', about: 'port for delivery reports (DSN) and complaints (ARF)' },
  KURIR_BOUNCE_RULES: {
    default: '',
    about: 'file with additional bounce rules, tried before the built-in ones (docs/bounces.md#rules)',
  },
  KURIR_DESTINATION_RULES: {
    default: '',
    about:
      'rules for pacing by destination, instead of the built-in ones (docs/deliverability.md#rules-of-destinations); off: none',
  },
  KURIR_DNS: {
    default: '',
    about: "DNS servers for looking up recipient domains, comma-separated; empty: the system's; off: none",
  },
  KURIR_HOOK_SECRET: {
    default: '',
    about: 'secret of POST /hooks/mta, for servers that report over HTTP (docs/mta-events.md); empty: the hook is off',
  },
  KURIR_HOOK_SECRET_FILE: { default: '', about: 'file with KURIR_HOOK_SECRET, as an alternative' },
  KURIR_SANDBOX_PORT: { default: '2526', about: 'port of the sandbox sending server' },
  KURIR_METRICS_PORT: { default: '9464', about: 'port of Prometheus metrics at /metrics, in every process; 0: off' },
  KURIR_SANDBOX_REPORTS: {
    default: '',
    about: 'host:port that the sandbox sends its delivery reports to; empty: the listener of the same process',
  },
  KURIR_MTA_URL: {
    default: '',
    about: 'the sending server, smtp:// or smtps://, or several as name=URL; empty: the sandbox',
  },
  KURIR_MTA_URL_FILE: { default: '', about: 'file with KURIR_MTA_URL, as an alternative' },
  KURIR_MTA_ROUTES: {
    default: '',
    about:
      'rules for choosing one of several servers (docs/sending-server.md#several-servers); empty: the first server',
  },
  KURIR_POSTFIX_LOG: {
    default: '',
    about:
      'log file to follow, of the Postfix that is the first server in KURIR_MTA_URL (docs/postfix.md#its-log); empty: none',
  },
  KURIR_DEMO: {
    default: '',
    about: 'true or false: create a demo workspace at the first start; empty: only with the sandbox (embedded)',
  },
  KURIR_PUBLIC_URL: {
    default: '',
    about: 'base URL of tracking links and public pages; empty: the actual host and port',
  },
  KURIR_SANDBOX_PUBLIC: {
    default: 'false',
    about:
      'true: allow others to reach the sandbox, although it shows all emails to anyone (docs/sandbox.md#who-may-see-it)',
  },
  KURIR_INSECURE_HTTP: {
    default: 'false',
    about: 'true: allow http:// in KURIR_PUBLIC_URL for a host that is not loopback',
  },
  KURIR_UPGRADE_WAIT: {
    default: '1m',
    about: 'cluster: how long a start that upgrades the schema waits for older processes to stop (docs/upgrade.md)',
  },
  KURIR_EVIDENCE_WAIT: { default: '4d', about: 'how long to wait for the delivery report of a message' },
  KURIR_REPORT_PEERS: {
    default: '',
    about: 'hosts whose delivery reports are trusted, besides loopback and the sending server, comma-separated',
  },
  KURIR_SECRET: {
    default: '',
    about: 'master secret, at least 32 characters; empty: created and stored in the data directory (embedded)',
  },
  KURIR_SECRET_FILE: { default: '', about: 'file with KURIR_SECRET, as an alternative' },
  KURIR_API_RATE_PER_MINUTE: {
    default: '60',
    about: 'API requests per minute for each key (or IP address, without a key)',
  },
  KURIR_HOSTS: { default: '', about: 'additional host names to serve, comma-separated' },
  KURIR_WEBHOOK_PRIVATE_HOSTS: {
    default: '',
    about: 'private hosts that webhooks are allowed to reach, also without TLS, comma-separated; for development',
  },
  KURIR_WEBHOOKS_PER_ENDPOINT: { default: '10', about: 'concurrent webhook requests to one endpoint, in each process' },
  KURIR_WEBHOOKS_PER_WORKSPACE: {
    default: '50',
    about: 'concurrent webhook requests for all endpoints of one workspace',
  },
  KURIR_WEBHOOKS_IN_ALL: { default: '500', about: 'concurrent webhook requests for all endpoints' },
  KURIR_WEBHOOK_LOG: { default: '30d', about: 'how long webhook deliveries are kept' },
  KURIR_ALARM_URL: {
    default: '',
    about: 'URL that receives alarms, signed (docs/deliverability.md#alarms); empty: none',
  },
  KURIR_ALARM_SECRET: { default: '', about: 'secret that signs them, at least 16 characters' },
  KURIR_ALARM_SECRET_FILE: { default: '', about: 'file with KURIR_ALARM_SECRET, as an alternative' },
  KURIR_ALARM_MAIL: { default: '', about: 'email address that receives alarms; empty: none' },
  KURIR_ALARM_SENDER: { default: '', about: 'sending domain of alarm emails; its workspace pays' },
  KURIR_BLOCKLISTS: {
    default: '',
    about: 'DNS blocklists to check the sending servers against, comma-separated; empty: the built-in list; off: none',
  },
  KURIR_CAMPAIGN_BRAKE_PERCENT: {
    default: '8',
    about:
      'pause a campaign when more than this percentage of its latest emails hard bounce or draw complaints; 0: never',
  },
  KURIR_UNMARKED_HOSTS: {
    default: '',
    about: 'hosts whose links get no svc_mid, including subdomains, comma-separated',
  },
  KURIR_KNOWN_CLIENTS: {
    default: '',
    about: 'file with user agents and networks of scanners and image proxies, in addition to the built-in ones',
  },
  KURIR_TRUSTED_HOPS: { default: '0', about: 'number of reverse proxies whose X-Forwarded-For is trusted' },
  KURIR_TLS_CERT: { default: '', about: 'TLS certificate file (PEM); with KURIR_TLS_KEY the HTTP port speaks HTTPS' },
  KURIR_TLS_KEY: { default: '', about: 'TLS key file (PEM)' },
  KURIR_MTA_CONNECTIONS: { default: '20', about: 'parallel SMTP connections to each sending server' },
  KURIR_BODY_MEMORY: { default: '96', about: 'memory for the bodies of large requests in progress, MB' },
  KURIR_MAX_MAIL: { default: '30', about: 'maximum size of a composed message, with its merge tags filled, MB' },
  KURIR_MAIL_MEMORY: { default: '96', about: 'memory for large messages being sent, MB' },
  KURIR_LOG_LEVEL: { default: 'info', about: 'trace, debug, info, warn, error, fatal or silent' },
  KURIR_LOG_FORMAT: { default: 'auto', about: 'auto (text on a terminal, JSON elsewhere), text or json' },
  KAFKA_BROKERS: { default: '', about: 'Kafka brokers, host:port, comma-separated (cluster)' },
  KAFKA_SASL_MECHANISM: { default: '', about: 'plain, scram-sha-256 or scram-sha-512; empty: Kafka needs no login' },
  KAFKA_SASL_USERNAME: { default: '', about: 'user name for Kafka' },
  KAFKA_SASL_PASSWORD: { default: '', about: 'password for Kafka' },
  KAFKA_SASL_PASSWORD_FILE: { default: '', about: 'file with KAFKA_SASL_PASSWORD, as an alternative' },
  KAFKA_TLS: { default: 'false', about: 'true: use TLS for Kafka' },
  KAFKA_TLS_CA: {
    default: '',
    about: 'certificate authority of Kafka (PEM file); empty: those trusted by the system',
  },
  KURIR_KAFKA_PREFIX: { default: 'kurir.', about: 'prefix of topic and consumer group names' },
  KURIR_PARTITIONS: {
    default: '12',
    about:
      'partitions of each topic at the first start; add more later with `kurir topics grow` (docs/cluster.md#partitions)',
  },
  MONGODB_URL: { default: '', about: 'MongoDB replica set, mongodb:// or mongodb+srv:// (cluster)' },
  MONGODB_URL_FILE: { default: '', about: 'file with MONGODB_URL, as an alternative' },
  MONGODB_DATABASE: { default: 'kurir', about: 'name of the MongoDB database' },
  REDIS_URL: { default: '', about: 'Redis, redis:// or rediss:// (cluster)' },
  REDIS_URL_FILE: { default: '', about: 'file with REDIS_URL, as an alternative' },
} as const;
export type VariableName = keyof typeof VARIABLES;

/** A variable that can hold a secret: `<name>_FILE` names a file to read it from. */
export type SecretName = { [Name in VariableName]: `${Name}_FILE` extends VariableName ? Name : never }[VariableName];
export const SECRETS = Object.keys(VARIABLES).filter((name): name is SecretName => `${name}_FILE` in VARIABLES);
