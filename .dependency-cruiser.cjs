/**
 * The layers of the design: app -> {api, smtp, dashboard, cli} -> {operations, consumers, sandbox} -> {domain, email,
 * schemas} -> ports -> lib. A driver knows ports and domain only. Only the wiring (app), the tests and the proof know a
 * driver.
 */
const PORTS = '^(streams/[^/]+\\.ts|stores/ports/)';
const DRIVERS = '^(stores/(?!ports/|shared/)[^/]+/|streams/drivers/)';
const PRODUCT = '^(api|app|cli|consumers|dashboard|domain|email|lib|operations|sandbox|schemas|smtp|stores|streams)/';
const OURS = PRODUCT.replace(')/', '|clients|packaging|proof|test)/');

/** The folders of app/, from the ground up: a folder imports only from those before it. */
const APP_LAYERS = [
  ['core/'],
  ['logging/', 'metrics/'],
  ['shared-services\\.ts'],
  ['cluster-settings/', 'time-travel/'],
  ['engines/'],
  ['services/'],
  ['kurir\\.ts'],
  ['program/'],
];

const appLayers = APP_LAYERS.flatMap((folders, n) =>
  folders.map((folder) => ({
    name: `app-layers-${folder.replace(/\W/g, '')}`,
    severity: 'error',
    comment: 'The folders of app/ stand on each other in one order.',
    from: { path: `^app/${folder}` },
    to: { path: `^app/(${APP_LAYERS.slice(n).flat().join('|')})`, pathNot: `^app/${folder}` },
  })),
);

/**
 * The folders of a store engine, from the ground up: a folder imports only from those of its row and of the rows before
 * it. A row of several folders is one where subjects write in each other's commits, such as a contact that leaves its
 * journeys.
 */
const STORE_FOLDERS = [
  ['database/', 'transactions/'],
  ['records/', 'ledger/', 'settings/', 'templates/'],
  ['campaigns/', 'contacts/', 'conversions/', 'engagement/', 'journeys/', 'log/', 'messages/', 'queue/', 'webhooks/'],
  ['audit/'],
  ['stores\\.ts', 'group-commit\\.ts'],
  ['open\\.ts'],
  ['threaded/'],
];

const storeFolders = STORE_FOLDERS.slice(0, -1).map((folders, n) => ({
  name: `store-folders-above-${folders[0].replace('/', '')}`,
  severity: 'error',
  comment: 'The folders of an engine stand on each other in one order.',
  from: { path: `^stores/(embedded|mongodb)/(${folders.join('|')})` },
  to: {
    path: `^stores/(embedded|mongodb)/(${STORE_FOLDERS.slice(n + 1)
      .flat()
      .join('|')})`,
    // A collection is declared with the type of its documents, which stands with its subject.
    dependencyTypesNot: n === 0 ? ['type-only'] : [],
  },
}));

/** Every file of an engine is in a folder. */
const inStoreFolder = {
  name: 'store-folders-are-listed',
  severity: 'error',
  comment: 'A new folder of an engine takes its place in STORE_FOLDERS.',
  from: {},
  to: {
    path: '^stores/(embedded|mongodb)/',
    pathNot: `^stores/(embedded|mongodb)/(${STORE_FOLDERS.flat().join('|')})`,
  },
};

/** Folders of the ground and of the second row know no other folder of their row. */
const lonelyStoreFolders = {
  name: 'store-folders-alone',
  severity: 'error',
  comment: 'Ledger, settings and templates are subjects that need no other.',
  from: { path: `^stores/(?:embedded|mongodb)/(${STORE_FOLDERS[1].join('|')})` },
  to: { path: `^stores/(embedded|mongodb)/(${STORE_FOLDERS[1].join('|')})`, pathNot: '^stores/(embedded|mongodb)/$1' },
};

/** Modules at `from` may import, of ours, only what matches one of `to`. */
const only = (name, from, to, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from },
  to: { path: OURS, pathNot: [...to, '^lib/'] },
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    only('clients-import-nothing', '^clients/', ['^clients/'], 'A client is copied into other programs.'),
    only('lib-imports-nothing', '^lib/', ['^lib/'], 'General parts know nothing of mail.'),
    only('domain-imports-lib', '^domain/', ['^domain/'], 'The rules of the domain are pure.'),
    only('email-imports-domain', '^email/', ['^(email|domain)/'], 'Composition takes plain data.'),
    only('schemas-import-domain', '^schemas/', ['^(schemas|domain)/', PORTS], 'Schemas describe; they do not act.'),
    only('ports-import-domain', PORTS, ['^(domain|schemas)/', PORTS], 'Ports speak only domain types.'),
    only('shared-imports-ports', '^stores/shared/', ['^stores/shared/', '^domain/', PORTS], 'What both drivers share.'),
    only(
      'store-drivers-import-ports',
      '^stores/(?!ports/|shared/)([^/]+)/',
      ['^stores/$1/', '^stores/shared/', '^domain/', PORTS],
      'A driver fulfils its ports.',
    ),
    only(
      'log-drivers-import-ports',
      '^streams/drivers/([^/]+)/',
      ['^streams/drivers/$1/', '^domain/', '^streams/[^/]+\\.ts'],
      'A driver fulfils its ports, and knows no store.',
    ),
    only(
      'streams-know-no-store',
      '^streams/[^/]+\\.ts',
      ['^(domain|schemas)/', '^streams/[^/]+\\.ts'],
      'The stores write to the log; the log does not look back.',
    ),
    only(
      'operations-import-domain',
      '^operations/',
      ['^(operations|sandbox|domain|email|schemas)/', PORTS, '^stores/shared/'],
      'What every interface calls knows no interface and no driver; the wiring hands it what it needs.',
    ),
    only(
      'consumers-import-operations',
      '^consumers/',
      ['^(consumers|operations|domain|email|schemas)/', PORTS],
      'A consumer knows no interface and no driver.',
    ),
    only(
      'api-stays-an-interface',
      '^api/',
      ['^(api|operations|domain|email|schemas)/', PORTS, '^stores/shared/'],
      'The API knows no other interface, no consumer and no driver.',
    ),
    only(
      'smtp-stays-an-interface',
      '^smtp/',
      ['^(smtp|operations|domain|email|schemas)/', PORTS],
      'SMTP is an interface of its own, and no part of the API.',
    ),
    only(
      'cli-stays-an-interface',
      '^cli/',
      ['^(cli|operations|domain|email|schemas)/', PORTS, '^stores/shared/'],
      'Commands call operations; the engines are handed to them.',
    ),
    only(
      'dashboard-stays-an-interface',
      '^dashboard/',
      ['^(dashboard|operations|api/http|domain|schemas)/', PORTS],
      'A screen shows what operations answer, and holds no rule of its own.',
    ),
    {
      name: 'no-consumer-imports-another',
      severity: 'error',
      comment: 'What consumers share lies in consumers/due-work and at the top of consumers/.',
      from: { path: '^consumers/([^/]+)/' },
      to: { path: '^consumers/[^/]+/', pathNot: ['^consumers/$1/', '^consumers/due-work/'] },
    },
    only(
      'sandbox-stays-in-its-layer',
      '^sandbox/',
      ['^(sandbox|domain|email|schemas)/', PORTS],
      'The sandbox is a server beside us, not a part of us.',
    ),
    {
      name: 'only-wiring-imports-drivers',
      severity: 'error',
      comment: 'The engine is chosen in one place.',
      from: { pathNot: ['^(app|test|proof)/', DRIVERS] },
      to: { path: DRIVERS },
    },
    {
      name: 'nothing-imports-tests-or-the-proof',
      severity: 'error',
      // The build puts the switches of the proof's mutants into the program of the proof; Jest has the limits of its
      // tests.
      from: { pathNot: '^(test|proof|packaging/build\\.mjs|jest\\.config\\.js)' },
      to: { path: '^(test|proof)/' },
    },
    {
      name: 'only-drivers-import-their-sdk',
      severity: 'error',
      comment:
        'The SDK of a store stays behind its port. The sandbox keeps a file of its own; the data dir is locked and backed up with SQLite.',
      from: {
        pathNot: [
          DRIVERS,
          '^(sandbox|test|proof)/',
          '^operations/(installation/(data-dir|running-file)|backup/sqlite-snapshot)\\.ts$',
        ],
      },
      to: { path: 'node_modules/(@photostructure/sqlite|kafkajs|node-rdkafka|mongodb|ioredis)/' },
    },
    ...appLayers,
    ...storeFolders,
    inStoreFolder,
    lonelyStoreFolders,
    {
      name: 'the-judge-knows-nothing',
      severity: 'error',
      comment: 'It decides by the contract alone, written again: it shares no code with what it judges.',
      from: { path: '^proof/judge/' },
      to: { pathNot: '^proof/judge/', dependencyTypesNot: ['core'] },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-undeclared-packages',
      severity: 'error',
      comment: 'A package that is not in package.json may be gone tomorrow.',
      from: { path: OURS },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'undetermined'] },
    },
    {
      name: 'no-dev-packages-in-the-product',
      severity: 'error',
      comment: 'The start needs no devDependencies. A rule of lint and the site of the documents are no part of it.',
      from: { path: [PRODUCT, '^packaging/'], pathNot: '^packaging/(no-store-writes\\.mjs$|docs/)' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: 'node_modules/@types/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // The client that use-client imports is generated beside it when it is checked.
    exclude: { path: '^(dist|dist-docs|data|coverage)/|^test/clients/use-(kurir-)?client' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['require', 'node', 'default', 'types'] },
    reporterOptions: { text: { highlightFocused: true } },
  },
};
