const { stopContainers } = require('./containers');
const { EVERY, findUrls } = require('./server-urls');

/** Ends the servers that were started for the tests, and says last of all what could not run without servers. */
module.exports = async () => {
  await stopContainers();
  const urls = findUrls(EVERY, process.env);
  if (typeof urls === 'string') console.error(`Tests on real servers were skipped: ${urls}.`);
};
