import type { Role } from '../../src/identity/members/roles.js';
import type { Scope } from '../../src/core/access/scopes.js';
import type { CredentialName, Place } from './world.js';

/** Required access: anyone, signed-in users, administrators, or a role in the project or group. */
export type Rule =
  | 'anyone'
  | 'signed_in'
  | 'admin'
  | {
      in: 'project' | 'group';
      role: Role;
      /** Seeing a public or internal container suffices, to everyone or who is signed in. */
      open?: true | 'signed_in';
    };

/** One route, asked in a way that changes nothing even for those who may. */
export interface Operation {
  /** As the router knows it, below /api/v4. */
  route: string;
  path: (place: Place) => string;
  who: Rule;
  /** Status for those who may: of bad parameters or conditions where success would change something. */
  allowed: number;
  body?: object;
  headers?: Record<string, string>;
  /** Scopes of the endpoint's own. */
  scopes?: readonly Scope[];
  /** Status for anonymous callers where it is not the usual one. */
  anonymous?: number;
  /** Status for the signed-in who may not, where it is not 403. */
  denied?: number;
  /** Status for a kind of credential that the endpoint treats in its own way. */
  by?: Partial<Record<CredentialName, number>>;
  /** No credential is looked at. */
  blind?: true;
}

/** Older than everything: a DELETE or PUT under this condition is refused with 412. */
export const STALE = { 'If-Unmodified-Since': 'Wed, 01 Jan 2020 00:00:00 GMT' };

export const project = (role: Role, more: { open?: true | 'signed_in' } = {}): Rule => ({
  in: 'project',
  role,
  ...more,
});
export const group = (role: Role, more: { open?: true | 'signed_in' } = {}): Rule => ({
  in: 'group',
  role,
  ...more,
});
export const OPEN = { open: true } as const;

/** Path of the place's group, project or spare project, and what follows it. */
export function at(kind: 'groups' | 'projects' | 'spares', rest = ''): (place: Place) => string {
  if (kind === 'groups') return ({ groupId }) => `/groups/${groupId}${rest}`;
  return ({ projectId, spareId }) => `/projects/${kind === 'spares' ? spareId : projectId}${rest}`;
}
