import { answeringOnce, failing, holding, INTERNAL_ERROR } from '../browser/faults.ts';
import type { State } from './state.ts';

/** Sources and quarantine. The states of deletion requests are in `deletions.ts`. */
export const adminStates: readonly State[] = [
  { name: 'admin/denied', who: 'user', path: '/admin', texts: ['Access Denied'] },
  {
    name: 'admin/sources',
    who: 'admin',
    path: '/admin?tab=sources',
    texts: [],
    also: ['city-cars', 'corner-lot', 'Healthy'],
    // Other tests add sources, and failing ones are listed above these.
    prepare: (page) => answeringOnce(page, 'Sources'),
  },
  {
    name: 'admin/sources-loading',
    who: 'admin',
    path: '/admin?tab=sources',
    texts: [],
    also: ['Loading the sources'],
    prepare: (page) => holding(page, 'Sources'),
  },
  {
    name: 'admin/sources-failed',
    who: 'admin',
    path: '/admin?tab=sources',
    texts: ['Try Again'],
    also: ['The sources could not be loaded'],
    prepare: (page) => failing(page, 'Sources', INTERNAL_ERROR),
  },
  {
    name: 'admin/quarantine',
    who: 'admin',
    path: '/admin?tab=quarantine&source=corner-lot',
    texts: [],
    also: ['3 records', 'The make is not in the catalogue.'],
  },
  {
    name: 'admin/quarantine-empty',
    who: 'admin',
    path: '/admin?tab=quarantine&source=city-cars',
    texts: [],
    also: ['Nothing in quarantine'],
  },
  {
    name: 'admin/quarantine-failed',
    who: 'admin',
    path: '/admin?tab=quarantine',
    texts: ['Try Again'],
    also: ['The quarantine could not be loaded'],
    prepare: (page) => failing(page, 'Quarantine', INTERNAL_ERROR),
  },
  {
    name: 'admin/audit',
    who: 'admin',
    path: '/admin?tab=audit',
    texts: [],
    also: ['Audit log', 'Signed in'],
  },
  {
    name: 'admin/audit-loading',
    who: 'admin',
    path: '/admin?tab=audit',
    texts: [],
    also: ['Loading the audit log'],
    prepare: (page) => holding(page, 'AuditLog'),
  },
  {
    name: 'admin/audit-failed',
    who: 'admin',
    path: '/admin?tab=audit',
    texts: ['Try Again'],
    also: ['The audit log could not be loaded'],
    prepare: (page) => failing(page, 'AuditLog', INTERNAL_ERROR),
  },
];
