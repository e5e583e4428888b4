/** In place of `node:os`: the machine has two cores, wherever the simulation runs. */

export const availableParallelism = (): number => 2;
