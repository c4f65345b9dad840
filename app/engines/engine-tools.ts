import type { EngineTools } from '../../operations/installation/engine-tools';
import { openAuditSource } from '../../stores/embedded/audit/audit-source';
import { openPersonalData } from '../../stores/embedded/audit/personal-data';
import { attach } from './attach';

/** The engines for an operator's tools. That of the cluster is loaded when it is used. */
export const engineTools: EngineTools = {
  attach,
  auditSource: async (at) =>
    'file' in at ? openAuditSource(at.file) : (await import('./open-cluster-audit.js')).openClusterAudit(at.cluster),
  personalData: async (at) =>
    'file' in at
      ? openPersonalData(at.file)
      : (await import('./open-cluster-personal-data.js')).openClusterPersonalData(at.cluster),
  cluster: async (config) => (await import('./cluster-admin.js')).clusterTools(config),
};
