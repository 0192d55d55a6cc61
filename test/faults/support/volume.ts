import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../../support/command.js';

/**
 * A small volume whose faults are real: a mounted one where this user may mount, and else a
 * folder that this user can lock himself out of.
 */
export class Volume {
  private constructor(
    readonly path: string,
    /** Without a mount it has no size of its own and cannot be full. */
    readonly isMounted: boolean,
  ) {}

  static async create(path: string): Promise<Volume> {
    await mkdir(path, { recursive: true });
    const options = ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', path];
    const { code } = await runCommand('mount', options).catch(() => ({ code: null }));
    return new Volume(path, code === 0);
  }

  /** Leaves no free block. */
  async fill(): Promise<void> {
    const blocks = ['bs=4k', `if=/dev/zero`, `of=${join(this.path, 'filler')}`];
    // It ends with an error, as it should.
    await runCommand('dd', blocks);
  }

  /** Frees the blocks that `fill` took. */
  async free(): Promise<void> {
    await rm(join(this.path, 'filler'));
  }

  /** Refuses all further writes. */
  async refuseWrites(): Promise<void> {
    if (this.isMounted) await mustRun('mount', ['-o', 'remount,ro', this.path]);
    else await mustRun('chmod', ['-R', 'u-w', this.path]);
  }

  /** An empty folder is all that is left. */
  async goAway(): Promise<void> {
    if (this.isMounted) return mustRun('umount', ['-l', this.path]);
    await rename(this.path, `${this.path}.gone`);
    await mkdir(this.path);
  }

  async remove(): Promise<void> {
    if (this.isMounted) await runCommand('umount', ['-l', this.path]);
    else await runCommand('chmod', ['-R', 'u+w', this.path]);
    for (const path of [this.path, `${this.path}.gone`]) {
      await rm(path, { recursive: true, force: true });
    }
  }
}

async function mustRun(command: string, args: string[]): Promise<void> {
  const { code, stderr } = await runCommand(command, args);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
}
