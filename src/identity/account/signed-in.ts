import type { AuthContext } from '../../core/access/auth-context.js';
import type { Viewer } from '../../core/access/viewer.js';

/** Authentication of a request to an account page: a signed-in user. */
export type SignedInContext = AuthContext & { viewer: Viewer };
