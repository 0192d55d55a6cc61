import { describe, expect, it } from '@jest/globals';
import { ByteRoom } from './byte-room.js';

const MIB = 1024 * 1024;

describe('room for bodies', () => {
  it('is taken as bytes come, and free again when the work ends or fails', async () => {
    const room = new ByteRoom(10);
    await room.within(async (one) => {
      one.add(6);
      await room.within((other) => {
        other.add(4);
        expect(() => other.add(1)).toThrow(expect.objectContaining({ status: 429 }));
        return Promise.resolve();
      });
      one.add(4);
    });
    const failed = room.within((one) => {
      one.add(10);
      throw new Error('the client went away');
    });
    await expect(failed).rejects.toThrow('the client went away');
    await room.within((one) => Promise.resolve(one.add(10)));
  });

  it('has a half that large bodies leave to small ones', async () => {
    const room = new ByteRoom(8 * MIB);
    await room.within(async (large) => {
      for (let at = 0; at < 4; at += 1) large.add(MIB);
      expect(() => large.add(1)).toThrow(expect.objectContaining({ status: 429 }));
      await room.within((small) => Promise.resolve(small.add(MIB)));
    });
  });
});
