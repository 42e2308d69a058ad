/** Memory and file descriptors of node and engine over time, and whether they grow. */
import fs from 'node:fs';

export type Watched = 'node' | 'engine';

interface Sample {
  readonly minute: number;
  readonly pid: number;
  readonly megabytes: number;
  readonly descriptors: number;
}

export interface Growth {
  readonly of: Watched;
  readonly what: 'memory (MB)' | 'file descriptors';
  /** Medians of the first and of the last third of the time that is looked at. */
  readonly early: number;
  readonly late: number;
  /** Undefined: the process did not live long enough to tell. */
  readonly grows: boolean | undefined;
}

const LIMITS = {
  megabytes: { what: 'memory (MB)', share: 0.2, atLeast: 60 },
  descriptors: { what: 'file descriptors', share: 0.2, atLeast: 20 },
} as const;
/** Compilers and caches warm up first. */
const WARM_UP_MINUTES = 5;
const MIN_MINUTES = 10;

export class ProcessFigures {
  readonly #samples = new Map<Watched, Sample[]>();

  /** Takes a sample; nothing while the process is away. */
  sample(of: Watched, pid: number | undefined, minute: number): void {
    if (pid === undefined) return;
    try {
      const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
      const megabytes = Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024);
      const descriptors = fs.readdirSync(`/proc/${pid}/fd`).length;
      if (megabytes > 0) this.#of(of).push({ minute, pid, megabytes, descriptors });
    } catch {
      // It has just been killed.
    }
  }

  /** The last sample as text. */
  latest(of: Watched): string {
    const last = this.#of(of).at(-1);
    return last === undefined ? 'away' : `${last.megabytes} MB ${last.descriptors} fds`;
  }

  /** Of the processes that live now, after they have warmed up. */
  growth(): Growth[] {
    return (['node', 'engine'] as const).flatMap((of) =>
      (['megabytes', 'descriptors'] as const).map((kind) => this.#growthOf(of, kind)),
    );
  }

  #growthOf(of: Watched, kind: 'megabytes' | 'descriptors'): Growth {
    const { what, share, atLeast } = LIMITS[kind];
    const samples = this.#of(of);
    const living = samples.filter(({ pid }) => pid === samples.at(-1)?.pid);
    const start = (living[0]?.minute ?? 0) + WARM_UP_MINUTES;
    const looked = living.filter(({ minute }) => minute >= start);
    const minutes = (looked.at(-1)?.minute ?? 0) - start;
    const third = Math.floor(looked.length / 3);
    const early = median(looked.slice(0, third).map((sample) => sample[kind]));
    const late = median(looked.slice(-third).map((sample) => sample[kind]));
    const grows = minutes < MIN_MINUTES ? undefined : late - early > Math.max(early * share, atLeast);
    return { of, what, early, late, grows };
  }

  #of(of: Watched): Sample[] {
    const samples = this.#samples.get(of) ?? [];
    this.#samples.set(of, samples);
    return samples;
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
