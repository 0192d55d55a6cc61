import { execFileSync } from 'node:child_process';

const PREFIX = 'guildhall';

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Returns the command that runs another one in a namespace, if there is one. */
export function inNamespace(netns: string | undefined): string[] {
  return netns === undefined ? [] : ['ip', 'netns', 'exec', netns];
}

/**
 * Machines of a test: network namespaces on one bridge, which the test itself is connected to. Needs
 * root and `ip` of iproute2.
 */
export class Network {
  private readonly id = `${PREFIX}-${process.pid}`;
  private readonly hub = `${this.id}-hub`;
  private readonly subnet = `10.93.${process.pid % 250}`;
  private readonly machines: string[] = [];
  private floats = 0;
  private readonly ownLink = `gh${process.pid}`;

  /** Creates the namespaces; throws one error that says what is missing. */
  constructor(names: readonly string[]) {
    try {
      ip('netns', 'add', this.hub);
      ip('-n', this.hub, 'link', 'add', 'bridge', 'type', 'bridge');
      ip('-n', this.hub, 'link', 'set', 'bridge', 'up');
      ip('link', 'add', this.ownLink, 'type', 'veth', 'peer', 'name', 'test', 'netns', this.hub);
      ip('address', 'add', `${this.subnet}.254/24`, 'dev', this.ownLink);
      ip('link', 'set', this.ownLink, 'up');
      this.plug('test');
      for (const name of names) this.add(name);
    } catch (error) {
      this.remove();
      throw new Error(
        'This test needs network namespaces: Linux, root, and the command `ip` of iproute2 with ' +
          `bridges and veth devices. ${String((error as { stderr?: unknown }).stderr ?? error)}`,
        { cause: error },
      );
    }
  }

  /** Name of the machine's namespace. */
  netns(name: string): string {
    return `${this.id}-${name}`;
  }

  address(name: string): string {
    return `${this.subnet}.${this.machines.indexOf(name) + 1}`;
  }

  /** An address that belongs to no machine until it is given to one. */
  get floatingAddress(): string {
    return `${this.subnet}.100`;
  }

  /** Gives the floating address to a machine, and tells all others so. */
  float(name: string): void {
    const netns = this.netns(name);
    ip('-n', netns, 'address', 'add', `${this.floatingAddress}/32`, 'dev', 'eth0');
    // A new hardware address is announced to all others (arp_notify), as keepalived does by itself.
    this.floats += 1;
    ip('-n', netns, 'link', 'set', 'eth0', 'address', `02:93:00:00:00:0${this.floats}`);
  }

  /** Unplugs the machine's cable: packets from and to it vanish. */
  cut(name: string): void {
    ip('-n', this.hub, 'link', 'set', name, 'nomaster');
  }

  heal(name: string): void {
    this.plug(name);
  }

  remove(): void {
    for (const netns of [...this.machines.map((name) => this.netns(name)), this.hub]) {
      execFileSync('sh', ['-c', 'ip netns del "$1" 2>/dev/null || true', 'sh', netns]);
    }
  }

  private add(name: string): void {
    const netns = this.netns(name);
    this.machines.push(name);
    ip('netns', 'add', netns);
    ip('-n', this.hub, 'link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', netns);
    execFileSync('ip', ['netns', 'exec', netns, 'sysctl', '-qw', 'net.ipv4.conf.all.arp_notify=1']);
    ip('-n', netns, 'address', 'add', `${this.address(name)}/24`, 'dev', 'eth0');
    ip('-n', netns, 'link', 'set', 'lo', 'up');
    ip('-n', netns, 'link', 'set', 'eth0', 'up');
    this.plug(name);
  }

  private plug(name: string): void {
    ip('-n', this.hub, 'link', 'set', name, 'master', 'bridge', 'up');
  }
}
