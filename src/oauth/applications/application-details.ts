import type { Scope } from '../../core/access/scopes.js';

/** An application as pages and answers need it; never its secret. */
export interface ApplicationDetails {
  id: number;
  uid: string;
  name: string;
  redirectUris: string[];
  scopes: Scope[];
  confidential: boolean;
  trusted: boolean;
  /** null = an application of the whole instance. */
  ownerId: number | null;
  ownerName: string | null;
  ownerUsername: string | null;
  createdAt: Date;
}

/** An application whose secret is shown this once. */
export interface NewSecret {
  application: ApplicationDetails;
  secret: string;
}
