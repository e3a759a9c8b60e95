/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** How the addresses of the map's files begin. */
  readonly MAP_FILES: string;
}
