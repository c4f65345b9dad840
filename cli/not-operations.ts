/**
 * The commands that are no operations, with the reason: other interfaces than the command line do not have them, or have
 * them in a form of their own. Every other command is one, with the role that may do it.
 */
export const NOT_OPERATIONS: Readonly<Record<string, string>> = {
  'contact.export': 'writes a stream to the terminal',
  'audience.export': 'writes a stream to the terminal',
  'suppress.import': 'reads a file of this machine, as it comes',
  'suppress.export': 'writes a stream to the terminal',
  'campaign.preview': 'writes a file of this machine',
  'template.preview': 'may write a file of this machine, which the operation of its name does not',
  'bounce.explain': 'needs the rules only, and works without data',
  demo: 'shows what the first start wrote',
  'sandbox.advance': 'drives the running process, and may be interrupted',
  'sandbox.now': 'compares the clock of this machine',
  'topics.list': 'looks at what an installation is made of, before its first start too',
  'topics.create': 'makes what an installation is made of, before its first start',
  'topics.grow': 'changes what an installation is made of, for all workspaces at once',
  'topics.move': 'needs every process to have ended',
  'indexes.list': 'looks at what an installation is made of, before its first start too',
  'indexes.create': 'makes what an installation is made of, before its first start',
  'upgrade.check': 'asks before a process is started',
  audit: 'reads all data for minutes, in a process of its own',
  pii: 'reads all data for minutes, in a process of its own',
  backup: 'writes a file of this machine',
  restore: 'needs the process to have ended',
};

/** The operations that are no commands, with the reason. */
export const NOT_COMMANDS: Readonly<Record<string, string>> = {
  'campaign.render': 'answers what campaign preview writes to a file or to the inbox',
  'audit.start': 'runs in the service; kurir audit looks from here and waits for the end',
};
