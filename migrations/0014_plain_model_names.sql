-- Names stored before what steers a terminal became U+FFFD at the market's boundary: their history goes on under the name
-- that the market's offers have now. Of two that come to the same the first takes it.
update gpu_model set name = cleaned.name
from (
  select min(id) as id, regexp_replace(name, '[\u0001-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]', U&'\FFFD', 'g') as name
  from gpu_model
  where name ~ '[\u0001-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]'
  group by 2
) as cleaned
where gpu_model.id = cleaned.id and not exists (select from gpu_model as other where other.name = cleaned.name);
