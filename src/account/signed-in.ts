import type { AuthContext } from '../core/access/auth-context.js';
import type { Viewer } from '../core/access/viewer.js';

/** Who asks for a page of an account: someone who is signed in. */
export type SignedInContext = AuthContext & { viewer: Viewer };
