// Preloaded with `node -r` by the npm scripts: CommonJS in old syntax, because the modules
// after it do not even parse on a Node that is too old, and its users must still read why.
'use strict';

var MINIMUM = [20, 19];
var found = process.versions.node.split('.').map(Number);

if (found[0] < MINIMUM[0] || (found[0] === MINIMUM[0] && found[1] < MINIMUM[1])) {
  console.error(
    'guildhall: Node ' +
      MINIMUM.join('.') +
      ' or newer is needed, this is ' +
      process.versions.node,
  );
  process.exit(1);
}
