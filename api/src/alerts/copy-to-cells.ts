import { matchChannels } from '../entities/delivery-channels.ts';

const switches = matchChannels.map(({ cell, flag }) => `${cell} = a.${flag}`).join(', ');

/**
 * SQL: copies the switches and the end of changed alerts to their cells, as the search reads nothing else of them.
 * @param changed a CTE that returns rows of `alerts`
 */
export const copyToCells = (changed: string): string => `
  update alert_cells c set ${switches}, expires_at = case when a.is_active then a.expires_at else '-infinity' end
    from ${changed} a where c.alert_id = a.id and c.user_id = a.user_id`;
