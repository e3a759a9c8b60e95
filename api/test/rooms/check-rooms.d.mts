export interface RoomsCheck {
  /** How many source files were read. */
  modules: number;
  faults: string[];
}
export function checkRooms(base: string, rooms: { root: string; floors: string[][] }): Promise<RoomsCheck>;
