import { postgresBinaries } from '../../../deploy/local/postgres-binaries.js';
import { postgresIdentity } from '../../../deploy/local/postgres-user.js';

// Prints the programs and their user; a process of its own because tests cannot load what finds them.
const identity = postgresIdentity();
console.log(JSON.stringify({ ...postgresBinaries(identity, process.argv[2] ?? ''), identity }));
