#include "view/gl/glsl.h"

#include "view/gl/shader.h"

/* clang-format off */
const char mo_glsl_frame[] = MO_GLSL(
    layout(std140) uniform Frame {
        mat4 view;
        mat4 projection;
        mat4 shadow;
        vec4 light;
        vec4 up;
        vec4 size;
        vec4 key;
        vec4 sky;
        vec4 ground;
        vec4 unknown;
        vec4 shadow_grain;
        vec4 range;
        vec4 background_top;
        vec4 background_bottom;
        vec4 fog;
        vec4 solid;        /* the kind of the texture, 1/scale, its time, its contrast */
        vec4 solid_origin; /* of positions, in the world */
        vec4 lights[3];
        vec4 light_colors[3];
    };
    bool parallel() { return size.w > 0.5; }
    /* the size of a pixel at a depth */
    float pixel_at(float depth) { return parallel() ? size.z : size.z * depth; }
    vec3 toward_eye(vec3 position) { return parallel() ? vec3(0.0, 0.0, 1.0) : normalize(-position); }
    float depth_of(float z)
    {
        float w = projection[2][3] * z + projection[3][3];
        return 0.5 + 0.5 * (projection[2][2] * z + projection[3][2]) / w;
    }
);

const char mo_glsl_rows[] = MO_GLSL(
    uniform sampler2D positions;
    uniform sampler2D turns;
    uniform sampler2D values;
    uniform sampler2D normals;
    uniform isampler2D indices;
    uniform sampler2D map;
    uniform vec4 plain; /* the colour without values; 1: there are values */
    ivec2 texel_of(int row) { return ivec2(row & 4095, row >> 12); }
    vec4 row_of(sampler2D rows, int row) { return texelFetch(rows, texel_of(row), 0); }
    int index_of(int row) { return texelFetch(indices, texel_of(row), 0).r; }
    vec3 turned(vec4 q, vec3 v) { return v + 2.0 * cross(q.yzw, cross(q.yzw, v) + q.x * v); }
    /* two triangles of the square [-1, 1]^2 */
    vec2 corner_of(int k)
    {
        return vec2(k == 1 || k == 2 || k == 4 ? 1.0 : -1.0, k == 2 || k == 4 || k == 5 ? 1.0 : -1.0);
    }
    vec3 mapped(float t) { return textureLod(map, vec2((t * 255.0 + 0.5) / 256.0, 1.0 / 6.0), 0.0).rgb; }
    /* The colour and the material; -1: the material of the draw call. A row's value is a
     * coordinate in the colour map from 0 to 1, -1 for no value, -2 for the colour of the draw
     * call, and from 2 on an index into the paints in the second line of the map. */
    vec4 paint_at(float t)
    {
        if (t > 1.5) {
            vec4 p = texelFetch(map, ivec2(int(t + 0.5) - 2, 1), 0);
            return vec4(p.rgb, floor(p.a * 255.0 + 0.5));
        }
        return vec4(t < -1.5 ? plain.rgb : t < 0.0 ? unknown.rgb : mapped(t), -1.0);
    }
    vec4 paint_of(int row)
    {
        return plain.w < 0.5 ? vec4(plain.rgb, -1.0) : paint_at(row_of(values, row).r);
    }
    vec3 color_of(int row) { return paint_of(row).rgb; }
);

/*
 * Solid texture (D. Peachey 1985, K. Perlin 1985) in four dimensions, the fourth being time: value
 * noise with hashed values at the points of an integer lattice, in four octaves.
 */
const char mo_glsl_texture[] = MO_GLSL(
    float lattice(ivec4 p)
    {
        uint h = uint(p.x) * 0x8da6b343u ^ uint(p.y) * 0xd8163841u ^ uint(p.z) * 0xcb1ab31fu ^ uint(p.w) * 0x165667b1u;
        h = (h ^ (h >> 15)) * 0x2c1b3c6du;
        h = (h ^ (h >> 12)) * 0x297a2d39u;
        return float((h ^ (h >> 15)) >> 8) / 16777216.0;
    }
    float noise(vec4 p)
    {
        vec4 base = floor(p);
        vec4 f = p - base;
        vec4 s = f * f * (3.0 - 2.0 * f);
        float sum = 0.0;
        for (int k = 0; k < 16; ++k) {
            ivec4 o = ivec4(k & 1, k >> 1 & 1, k >> 2 & 1, k >> 3);
            vec4 w = mix(1.0 - s, s, vec4(o));
            sum += w.x * w.y * w.z * w.w * lattice(ivec4(base) + o);
        }
        return sum;
    }
    float turbulence(vec4 p)
    {
        float sum = 0.0;
        float weight = 0.5;
        for (int k = 0; k < 4; ++k) {
            sum += weight * noise(p);
            p = 2.0 * p + vec4(17.3, 5.1, 31.7, 0.0);
            weight *= 0.5;
        }
        return sum / 0.9375;
    }
    /* of a position in camera coordinates; 1 without a texture */
    float pattern(vec3 position)
    {
        if (solid.x < 0.5) {
            return 1.0;
        }
        vec3 world = transpose(mat3(view)) * (position - view[3].xyz) + solid_origin.xyz;
        vec4 p = vec4(world * solid.y, solid.z);
        float n = turbulence(2.0 * p);
        float f = smoothstep(0.3, 0.7, n);
        if (solid.x > 2.5) {
            float ring = fract(2.0 * length(p.xy) + 0.8 * n);
            f = smoothstep(0.0, 0.75, ring) * (1.0 - smoothstep(0.85, 1.0, ring));
        } else if (solid.x > 1.5) {
            float vein = abs(sin(3.1415927 * (p.x + 0.6 * p.y + 0.4 * p.z + 3.0 * n)));
            f = pow(vein, 0.45);
        }
        return mix(1.0, f, solid.w);
    }
);

/* Primitives behind the depth of all surrounding pixels are culled: fragments that write their
 * depth cannot be rejected early, and shading them dominates the cost. */
const char mo_glsl_cull[] = MO_GLSL(
    uniform sampler2D deepest; /* a texel is the maximum depth of 8 x 8 pixels */
    bool buried(vec3 middle, float r)
    {
        float front = middle.z + r;
        if (shadow_grain.z < 0.5 || (!parallel() && front > -range.x)) {
            return false;
        }
        vec4 p = projection * vec4(middle, 1.0);
        vec2 at = (p.xy / p.w * 0.5 + 0.5) * size.xy;
        float reach = 1.3 * r / pixel_at(-front) + 2.0;
        ivec2 low = ivec2(floor((at - reach) / 8.0));
        ivec2 high = ivec2(floor((at + reach) / 8.0));
        ivec2 last = textureSize(deepest, 0) - 1;
        float depth = depth_of(front) - 1e-6;
        bool covered = max(high.x - low.x, high.y - low.y) < 4;
        for (int k = 0; k < 16 && covered; ++k) {
            ivec2 tile = min(low + ivec2(k & 3, k >> 2), high);
            covered = texelFetch(deepest, clamp(tile, ivec2(0), last), 0).r < depth;
        }
        return covered;
    }
);

/* Percentage-closer filtering (Reeves, Salesin, Cook 1987) with a normal offset of the position. */
const char mo_glsl_shadow[] = MO_GLSL(
    uniform sampler2DShadow shadow_map;
    float key_seen(vec3 position, vec3 n)
    {
        if (light.w <= 0.0) {
            return 1.0;
        }
        float grazing = 1.0 - clamp(dot(n, light.xyz), 0.0, 1.0);
        vec3 at = (shadow * vec4(position + n * shadow_grain.x * (1.0 + 2.0 * grazing), 1.0)).xyz;
        float sum = 0.0;
        /* four samples on a rotated grid, each the mean of four texels */
        for (int k = 0; k < 4; ++k) {
            vec2 aside = vec2(k == 0 ? 1.6 : k == 2 ? -1.6 : k == 1 ? -0.6 : 0.6,
                              k == 1 ? 1.6 : k == 3 ? -1.6 : k == 0 ? 0.6 : -0.6);
            /* points beyond the far plane of the map are behind everything in it */
            sum += texture(shadow_map, vec3(at.xy + aside * shadow_grain.y, min(at.z, 1.0)));
        }
        vec2 off = abs(at.xy - 0.5);
        bool outside = max(off.x, off.y) > 0.5;
        return outside ? 1.0 : mix(1.0, sum / 4.0, light.w);
    }
);

/* A key light, hemispherical light from sky and ground, and a specular term. */
const char mo_glsl_light[] = MO_GLSL(
    uniform sampler2D occlusion;
    float openness(float z)
    {
        if (up.w <= 0.0) {
            return 1.0;
        }
        vec2 at = gl_FragCoord.xy * 0.5 - 0.5;
        ivec2 base = ivec2(floor(at));
        vec2 f = at - vec2(base);
        ivec2 last = textureSize(occlusion, 0) - 1;
        float sum = 0.0;
        float weights = 0.0;
        for (int k = 0; k < 4; ++k) {
            ivec2 o = ivec2(k & 1, k >> 1);
            vec4 seen = texelFetch(occlusion, clamp(base + o, ivec2(0), last), 0);
            float depth = range.x + (range.y - range.x) * (seen.g * 65280.0 + seen.b * 255.0) / 65535.0;
            vec2 near = mix(1.0 - f, f, vec2(o));
            float w = (near.x * near.y + 0.02) / (0.05 + abs(depth + z) / range.z);
            sum += w * seen.r;
            weights += w;
        }
        return mix(1.0, sum / weights, up.w);
    }
    vec3 decoded(vec3 c)
    {
        return mix(pow((c + 0.055) / 1.055, vec3(2.4)), c / 12.92, vec3(lessThanEqual(c, vec3(0.04045))));
    }
    /* depth cue: attenuation towards the background colour (Beer-Lambert) */
    vec3 fogged(vec3 c, float z)
    {
        if (fog.x <= 0.0) {
            return c;
        }
        float veil = 1.0 - exp(-fog.x * max(-z - fog.y, 0.0) / fog.z);
        float height = clamp(gl_FragCoord.y / size.y, 0.0, 1.0);
        return mix(c, decoded(mix(background_bottom.rgb, background_top.rgb, height)), veil);
    }
    /* environment radiance from a direction */
    vec3 surroundings(vec3 d)
    {
        return mix(ground.rgb, sky.rgb, smoothstep(-0.3, 0.4, dot(d, up.xyz)));
    }
    /* irradiance of a matte surface; the key light is scaled by `seen` */
    vec3 received(vec3 n, float seen, float open)
    {
        vec3 sum = mix(ground.rgb, sky.rgb, 0.5 + 0.5 * dot(n, up.xyz)) * open;
        sum += key.rgb * max(dot(n, light.xyz), 0.0) * seen * mix(1.0, open, 0.35);
        for (int k = 0; k < 3; ++k) {
            sum += light_colors[k].rgb * max(dot(n, lights[k].xyz), 0.0) * mix(1.0, open, 0.35);
        }
        return sum;
    }
    float highlight(vec3 n, vec3 position, float exponent)
    {
        return pow(max(dot(n, normalize(light.xyz + toward_eye(position))), 0.0), exponent);
    }
    /* Fresnel reflectance (Schlick 1994) of a dielectric with reflectance `base` at normal
     * incidence. */
    float fresnel(float base, vec3 n, vec3 position)
    {
        return base + (1.0 - base) * pow(1.0 - abs(dot(n, toward_eye(position))), 5.0);
    }
    /* material: -1 matte with a gloss, 0 matte, 2 metal, others glossy */
    vec3 shade_as(vec3 albedo, vec3 n, vec3 position, float gloss, float material)
    {
        if (sky.w < 0.5) {
            return albedo;
        }
        float open = openness(position.z);
        float seen = key_seen(position, n);
        vec3 diffuse = albedo * received(n, seen, open);
        vec3 mirrored = surroundings(reflect(-toward_eye(position), n)) * open;
        vec3 c = diffuse + gloss * highlight(n, position, 48.0) * seen * key.rgb;
        if (material > 1.5 && material < 2.5) {
            c = 0.25 * diffuse + albedo * (1.7 * mirrored + 1.6 * highlight(n, position, 40.0) * seen * key.rgb);
        } else if (material > 0.5) {
            c = diffuse + fresnel(0.05, n, position) * mirrored + 0.7 * highlight(n, position, 90.0) * seen * key.rgb;
        } else if (material > -0.5) {
            c = diffuse;
        }
        return fogged(c, position.z);
    }
    vec3 shade(vec3 albedo, vec3 n, vec3 position, float gloss)
    {
        return shade_as(albedo, n, position, gloss, -1.0);
    }
    out vec4 color;
);

/* Depth peeling (Everitt 2001): transparent fragments in front of all opaque ones and behind the
 * previous layer. Colours are premultiplied. */
const char mo_glsl_clear[] = MO_GLSL(
    uniform sampler2D depth;
    uniform sampler2D deepest;
    void peel(float z)
    {
        ivec2 pixel = ivec2(gl_FragCoord.xy);
        if (z >= texelFetch(depth, pixel, 0).r - 1e-6 || z <= texelFetch(deepest, pixel, 0).r + 1e-7) {
            discard;
        }
    }
    /* n faces the eye; back: the surface is seen from inside */
    vec4 clear_shade(vec3 tint, vec3 n, vec3 position, float material, bool back)
    {
        bool water = material > 3.5;
        float rim = pow(1.0 - abs(dot(n, toward_eye(position))), 3.0);
        float mirror = fresnel(0.02, n, position);
        float opacity = water ? (back ? 0.35 : mix(0.62, 0.97, mirror)) : 0.06 + 0.45 * rim;
        if (sky.w < 0.5) {
            return vec4(tint * opacity, opacity);
        }
        float seen = key_seen(position, n);
        float shine = back ? 0.0 : highlight(n, position, water ? 160.0 : 120.0) * seen;
        vec3 reflected = surroundings(reflect(-toward_eye(position), n));
        vec3 c = water ? mix(tint * received(n, seen, 1.0), 1.8 * reflected, back ? 0.0 : mirror)
                       : tint * (0.9 + 0.5 * reflected);
        opacity = clamp(opacity + 0.8 * shine, 0.0, 1.0);
        return vec4(fogged(c + 0.8 * shine * key.rgb, position.z) * opacity, opacity);
    }
);

/*
 * Liquids: the image behind a surface, refracted by Snell's law along a path as long as the liquid
 * is thick, absorbed on it (Beer, Lambert), with light scattered in the liquid and the environment
 * reflected by Fresnel's factor (C. Wyman 2005, "An approximate image-space approach for
 * interactive refraction", of whose two interfaces this is the first).
 */
const char mo_glsl_liquid[] = MO_GLSL(
    uniform sampler2D behind;
    uniform sampler2D thickness;
    /* a sky that is bright at the horizon, the ground, and a soft box around the light */
    vec3 environment(vec3 d)
    {
        float h = dot(d, up.xyz);
        vec3 high = sky.rgb * mix(vec3(2.6, 2.75, 2.8), vec3(0.75, 1.15, 1.6), smoothstep(0.0, 0.75, h));
        vec3 c = mix(1.9 * ground.rgb, high, smoothstep(-0.15, 0.05, h));
        return c + 1.4 * key.rgb * smoothstep(0.88, 0.96, dot(d, light.xyz));
    }
    vec2 screen_of(vec3 position)
    {
        vec4 p = projection * vec4(position, 1.0);
        return p.xy / p.w * 0.5 + 0.5;
    }
    vec3 seen_through(vec3 n, vec3 position, float way)
    {
        vec3 along = refract(-toward_eye(position), n, 1.0 / 1.333);
        vec2 at = clamp(screen_of(position + way * along), vec2(0.002), vec2(0.998));
        bool before = textureLod(depth, at, 0.0).r < gl_FragCoord.z;
        return textureLod(behind, before ? gl_FragCoord.xy / size.xy : at, 0.0).rgb;
    }
    /* light scattered in the liquid: it enters from the lit side and, wrapped, from beside it */
    vec3 scattered(vec3 n, float seen)
    {
        float side = 0.5 + 0.5 * dot(n, light.xyz);
        return mix(ground.rgb, sky.rgb, 0.5 + 0.5 * dot(n, up.xyz)) + key.rgb * side * mix(0.5, 1.0, seen);
    }
    vec4 liquid_shade(vec3 tint, float material, float reach, vec3 n, vec3 position, bool back)
    {
        if (sky.w < 0.5) {
            return vec4(tint * 0.62, 0.62);
        }
        vec2 sum = texelFetch(thickness, ivec2(gl_FragCoord.xy), 0).rg;
        float way = max(sum.r + sum.g * range.w, 0.0);
        float turbid = material > 5.5 ? 16.0 : material > 4.5 ? 0.35 : 0.04;
        float lost = 1.0 - exp(-turbid * way / reach);
        vec3 passed = pow(max(tint, vec3(0.003)), vec3(way / reach));
        float seen = key_seen(position, n);
        vec3 body = tint * scattered(n, seen);
        vec3 c = mix(seen_through(n, position, way) * passed, body, lost);
        if (!back) {
            vec3 mirrored = environment(reflect(-toward_eye(position), n));
            c = mix(c, mirrored, fresnel(0.02, n, position)) + 1.5 * highlight(n, position, 250.0) * seen * key.rgb;
        }
        return vec4(fogged(c, position.z), 1.0);
    }
);

const char mo_glsl_screen[] = MO_GLSL(
    out vec2 uv;
    void main()
    {
        uv = vec2(float((gl_VertexID & 1) * 2), float(gl_VertexID & 2));
        gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0);
    }
);
/* clang-format on */
