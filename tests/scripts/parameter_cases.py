"""The tables of check_parameters.py: scenes in which parameters matter, and values for them."""

# ---- scenes ----

BALL = {"name": "ball", "shape": {"type": "sphere", "center": [0.25, 0.25, 0.1], "radius": 0.17}, "friction": 0.3,
        "restitution": 0.4, "motion": {"type": "translate", "velocity": [0.3, 0, 0.1]}}
SPRING = {"type": "spring", "k": 20, "damping_spring": 0.01}
FEM = {"type": "fem", "material": {"type": "stvk", "young": 2e4, "poisson": 0.3}}
PLANE = {**FEM, "triangles": "plane_stress", "thickness": 0.01}
SHEET = {"name": "sheet", "mesh": {"type": "cloth", "origin": [0, 0, 0.27], "u": [0.5, 0, 0], "v": [0, 0.5, 0.02],
                                   "columns": 5, "rows": 4},
         "mass": 0.5, "radius": 0.02, "velocity": [0.2, 0.1, -3], "model": SPRING,
         "pins": [{"nodes": [0],
                   "motion": {"type": "translate", "velocity": [0, 0, 0.5]}}]}
BLOCK = {"name": "block", "mesh": {"type": "block", "min": [0, 0, 0.3], "max": [0.4, 0.3, 0.6], "nx": 3, "ny": 3, "nz": 3,
                                   "tetrahedra": 5},
         "density": 1000, "radius": 0.02, "velocity": [0.2, 0.1, -3], "model": FEM}
LATTICE = {"name": "beads", "mesh": {"type": "lattice", "kind": "sc", "nx": 3, "ny": 3, "nz": 2, "spacing": 0.1},
        "mass": 0.01, "radius": 0.02}
TANK = {"name": "tank", "inside": True, "shape": {"type": "box", "min": [0, 0, 0], "max": [0.4, 0.4, 1]}}

BASES = {
    # a sheet that falls on a moving ball, and a spinning particle
    "sheet": {"time": {"end": 0.05, "step": 0.002, "fps": 100}, "bodies": [SHEET, {
        "name": "top", "mesh": {"type": "points", "positions": [[2, 0, 0], [2.1, 0, 0]]}, "mass": 1, "radius": 0.1,
        "oriented": True, "inertia": [1, 2, 3], "angular_velocity": [9, 12, 15], "velocity": [1, 0, 0]}],
        "colliders": [BALL], "forces": [{"type": "drag", "linear": 0.001}]},
    "block": {"time": {"end": 0.05, "step": 0.001, "fps": 100}, "bodies": [BLOCK], "colliders": [BALL]},
    # particles of two species that attract each other
    "beads": {"time": {"end": 0.02, "step": 0.0005, "fps": 100}, "gravity": [0, 0, 0],
              "species": [{"name": "a", "e": 0.01, "r0": 0.1}, {"name": "b", "e": 0.02, "r0": 0.11}],
              "bodies": [{**LATTICE, "species": "a", "velocity": [0.3, 0.1, 0]},
                         {"name": "other", "mesh": {"type": "lattice", "kind": "sc", "nx": 2, "ny": 2, "nz": 2,
                                                    "spacing": 0.11, "origin": [0, 0, 0.21]},
                          "mass": 0.01, "radius": 0.02, "species": "b", "velocity": [0, 0, -1]}],
              "forces": [{"type": "lennard_jones"}]},
    # a column of water beside a moving ball, in two dimensions
    "water": {"up": "y", "time": {"end": 0.05, "step": 0.002, "fps": 100},
              "fluid": {"dimension": 2, "spacing": 0.05, "viscosity": {"type": "laplacian", "nu": 0.05},
                        "phases": [{"name": "water", "velocity": [0.5, -1, 0],
                                    "fill": [{"type": "box", "min": [0, 0, 0], "max": [0.25, 0.3, 0.05]}]}]},
              "colliders": [{**TANK, "shape": {"type": "box", "min": [0, 0, -1], "max": [0.6, 0.8, 1]}},
                            {"name": "ball", "shape": {"type": "cylinder", "start": [0.45, 0.1, -1], "end": [0.45, 0.1, 1],
                                                       "radius": 0.1},
                             "motion": {"type": "translate", "velocity": [-0.5, 0, 0]}}]},
    "charges": {"gravity": [0, 0, 0], "time": {"end": 1, "step": 0.001}, "domain": {"min": [0, 0, 0], "max": [0.4, 0.4, 0.4]},
                "bodies": [{"charge": 1e-7, "mass": 1, "mesh": {"type": "lattice", "nx": 4, "ny": 4, "nz": 4, "spacing": 0.1,
                                                                "jitter": 0.01}},
                           {"charge": -1e-7, "mass": 1, "mesh": {"type": "lattice", "nx": 4, "ny": 4, "nz": 4, "spacing": 0.1,
                                                                 "jitter": 0.01, "seed": 2, "origin": [0.05, 0, 0]}}],
                "forces": [{"type": "coulomb"}]},
    "masses": {"gravity": [0, 0, 0], "time": {"end": 1, "step": 0.001},
               "bodies": [{"mass": 10, "mesh": {"type": "lattice", "nx": 4, "ny": 4, "nz": 4, "spacing": 0.1, "jitter": 0.01}}],
               "forces": [{"type": "newton", "constant": 1e-3}]},
}

# two solids that overlap
BASES["overlap"] = {"time": {"end": 0.05, "step": 0.0005, "fps": 100}, "gravity": [0, 0, 0], "bodies": [
    BLOCK, {**BLOCK, "name": "other", "mesh": {**BLOCK["mesh"], "min": [0.05, 0.03, 0.55], "max": [0.45, 0.33, 0.85]},
            "velocity": [0, 0, 0]}],
    "body_contact": {"stiffness": 1, "detection": {"type": "heidelberger2004", "search": {"type": "hierarchy"}}}}

# ---- where the methods of a family stand ----

# a position-based block that vibrates and falls on a ball; distance keeps every constraint's body together
BASES["soft"] = {**{key: value for key, value in BASES["block"].items() if key != "integrator"},
                 "constraints": {"substeps": 2, "iterations": 3},
                 "bodies": [{**BLOCK, "flow": {"type": "expression", "velocity": ["x*y", "-y", "3*(z - 0.3)"]},
                             "model": {"type": "xpbd", "constraints": [{"type": "distance", "compliance": 1e-5}]}}]}
# a position-based cloth as thick as its mesh allows, so that its surface is in contact with itself where it is bent
THICK = {"gravity": [0, 0, 0], "bodies[0].pins": [], "bodies[0].loads": [], "bodies[0].mesh": {
    "type": "cloth", "origin": [-0.5, -0.5, 2], "columns": 9, "rows": 9}, "bodies[0].flow": {
    "type": "expression", "velocity": ["10*y*y", "15*x*y", "40*x*y + 30*x*x"]}, "bodies[0].model.thickness": 0.1,
    "bodies[0].model.constraints": ["distance"]}
WOVEN = {**{k: v for k, v in THICK.items() if k != "bodies[0].model.constraints"}, "bodies[0].model.constraints": [
    "distance", {"type": "strain", "compliance": 1e-3, "weft": 0.5}]}
PBD = {"bodies[0].model": {"type": "pbd", "constraints": ["distance", "distance"]}}

PLACES = {
    "long_range": ("charges", "forces[0].method"),
    "force": ("sheet", "forces[0]"), "motion": ("sheet", "colliders[0].motion"), "pair": ("beads", "forces[0].pairs[0]"),
    "thermostat": ("beads", "thermostats[0]"),
    "heater": ("beads", "forces[1].sources[0]"), "thermal": ("beads", "forces[1].species[0]"), "action": ("beads", "actions[0]"),
    "shape": ("sheet", "colliders[0].shape"), "step": ("sheet", "time.step"),
    "mesh": ("sheet", "bodies[0].mesh"), "model": ("sheet", "bodies[0].model"), "material": ("block", "bodies[0].model.material"),
    "flow": ("sheet", "bodies[0].flow"), "friction": ("sheet", "colliders[0].friction"),
    "contact_law": ("sheet", "colliders[0].contact"), "observable": ("beads", "observables[0]"), "sampling": ("beads", "observables[0].at"),
    "format": ("sheet", "output.formats[0]"), "surface": ("beads", "output.surface"), "kernel": ("water", "fluid.kernel"),
    "search": ("beads", "neighbors"), "pressure": ("water", "fluid.pressure"),
    "state_equation": ("water", "fluid.pressure.state"), "viscosity": ("water", "fluid.viscosity"),
    "rheology": ("water", "fluid.viscosity.law"),
    "artificial_viscosity": ("water", "fluid.artificial_viscosity"), "boundary": ("water", "fluid.boundary"),
    "surface_tension": ("water", "fluid.surface_tension"), "vorticity": ("water", "fluid.vorticity"),
    "shifting": ("water", "fluid.shifting"), "integrator": ("sheet", "integrator"),
    "linear_solver": ("sheet", "integrator.solver"), "contact_detection": ("overlap", "body_contact.detection"),
    "primitive_search": ("overlap", "body_contact.detection.search"),
    "bound": ("overlap", "body_contact.detection.search.bound"),
    "constraint": ("soft", "bodies[0].model.constraints[1]"), "constraint_solver": ("soft", "constraints.solver"),
}

HEAT = {"type": "heat", "conductivity": 0.1, "range": 0.3, "specific_heat": 10, "initial": 300,
        "strength": [[290, 1], [400, 0.2]]}
FED = {"forces[1].sources": [{"type": "feed", "power": 50}], "forces[1].species[0].melting_point": 300}
MELTS = {"forces[0].melting_point": 300, "forces[0].sources": [{"type": "feed", "power": 50}]}
PLAIN = {"species": [], "bodies[0].species": None, "bodies[1].species": None,
         "forces[0]": {"type": "lennard_jones", "e": 0.01, "r0": 0.1}}
MOVE = {"type": "translate", "velocity": [0, 0, 3]}

# What a method needs beside its name: its values, or "": more changes of the scene, by their paths.
PROBED = {"observables[0]": {"type": "probe", "support": 0.25}}

METHODS = {
    **{f"thermostat.{name}": {"temperature": 0.01, "": {"boltzmann": 0.001}}
       for name in ("berendsen", "rescale", "langevin")},
    "action.grab": {"time": 0.001, "until": 0.004, "velocity": [0.5, 0, 0]},
    "action.push": {"time": 0.001, "velocity": [1, 0, 0]},
    "action.add": {"time": 0.001, "positions": [[0.1, 0.3, 0]], "velocity": [0, 1, 0], "mass": 0.001},
    "action.delete": {"time": 0.001, "region": {"type": "sphere", "center": [0, 0, 0], "radius": 0.05}},
    "action.heat": {"time": 0.001, "temperature": 380},
    "constraint.attach": {"nodes": [0, 1], "body": BLOCK["name"], "compliance": 1e-4},
    "constraint.shape_match": {"deformation": "quadratic", "compliance": 1e-5, "region": 0.2},
    "constraint.density": {"spacing": 0.25},
    "force.oriented": {"range": 0.25, "coplanarity": 1, "conormality": 1, "cocircularity": 1, "": {
        "base": "beads", "path": "forces[1]", "bodies[0].oriented": True, "bodies[0].axes": "random",
        "bodies[1].oriented": True, "bodies[1].axes": "random"}},
    "shape.hull": {"points": [[0, 0, 0], [0.5, 0, 0], [0, 0.5, 0], [0.2, 0.2, 0.27]]},
    "damping_point": {"g": 0.01},
    "drag": {"linear": 0.01, "quadratic": 0.01, "wind": [1, 0, 0]},
    "expression_field": {"acceleration": ["-x", "1", "sin(t)"]},
    "attractor": {"strength": 1, "softening": 0.1},
    "force_plane": {"strength": 10, "softening": 0.1},
    "vortex": {"strength": 10, "inflow": 1, "updraft": 1, "center": [0.1, 0.2, 0]},
    "wind": {"velocity": [8, 3, 1], "gust": 2, "gust_period": 0.006, "gust_duration": 0.002, "turbulence": 0.3},
    "damping_viscous": {"g": 0.01, "range": 0.2},
    "lennard_jones": {"": {"base": "beads"}},
    "heat": {**{k: v for k, v in HEAT.items() if k != "type"}, "ambient": 350, "loss": 0.1,
             "": {"base": "beads", "forces[1]": {"type": "lennard_jones"}}},
    "translate": {"velocity": [0.5, 0, 0.2]},
    "oscillate": {"amplitude": [0.1, 0, 0.05], "frequency": 5},
    "rotate": {"speed": 5},
    "keyframes": {"times": [0, 0.02], "positions": [[0, 0, 0], [0.02, 0, 0.03]], "rotations": [[0, 0, 0], [0, 0, 0.4]]},
    "path": {"points": [[0, 0, 0], [0.02, 0, 0.02], [0, 0.04, 0.02]], "end": 0.04},
    "sequence": {"motions": [MOVE, {"type": "rotate", "speed": 3}], "times": [0, 0.01]},
    "species_pair": {"between": ["a", "b"], "e": 0.03, "r0": 0.1},
    "species_heat": {"of": "a", "melting_point": 299, "latent_heat": 1, "liquid_strength": 0.2},
    "start": {"temperature": 350}, "hold": {"temperature": 350}, "feed": {"power": 5},
    "sphere": {"center": [0.25, 0.25, 0.1], "radius": 0.17},
    "plane": {"point": [0, 0, 0.27], "normal": [0.1, 0, 1]},
    "box": {"min": [0, 0, 0], "max": [0.3, 0.3, 0.27]},
    "cylinder": {"start": [0, 0.2, 0.1], "end": [0.5, 0.2, 0.1], "radius": 0.17},
    "cone": {"start": [0, 0.2, 0.1], "end": [0.5, 0.2, 0.1], "radius": 0.17, "end_radius": 0.12},
    "capsule": {"start": [0, 0.2, 0.1], "end": [0.5, 0.2, 0.1], "radius": 0.17},
    "ellipsoid": {"center": [0.25, 0.25, 0.1], "radii": [0.3, 0.2, 0.17]},
    "torus": {"center": [0.25, 0.25, 0.2], "radius": 0.2, "tube": 0.08, "axis": [0.1, 0, 1]},
    "mesh": {"file": "meshes/gem.obj", "scale": [0.6, 0.6, 0.4], "angle": 20, "translate": [0.2, 0.2, 0.13]},
    "transform": {"shape": {"type": "box", "min": [-0.1, -0.1, -0.1], "max": [0.2, 0.2, 0.1]}, "angle": 20,
                  "translate": [0.2, 0.2, 0.17]},
    "union": {"shapes": [{"type": "sphere", "center": [0.25, 0.25, 0.1], "radius": 0.17}]},
    "intersection": {"shapes": [{"type": "sphere", "center": [0.25, 0.25, 0.1], "radius": 0.17}]},
    "difference": {"shape": {"type": "sphere", "center": [0.25, 0.25, 0.1], "radius": 0.17},
                   "subtract": [{"type": "sphere", "center": [0.25, 0.4, 0.2], "radius": 0.1}]},
    "fixed": {"size": 0.002}, "cfl": {"max": 0.003, "factor": 0.1, "min": 0.0001}, "auto": {},
    "points": {"positions": [[0, 0, 0.3], [0.1, 0.1, 0.32], [0.2, 0.2, 0.3]], "edges": [0, 1, 1, 2]},
    "rope": {"start": [0, 0.2, 0.3], "end": [0.5, 0.25, 0.3], "segments": 6},
    "hexagonal": {"spacing": 0.1, "nx": 3, "ny": 3, "nz": 2, "displacement": 1e-4, "": {"base": "beads"}},
    "lattice": {"spacing": 0.1, "nx": 3, "ny": 3, "nz": 2, "jitter": 0.1, "": {"base": "beads"}},
    "rod": {"radius": 0.05, "": {"time.step": 0.0002}},
    "ball": {"radius": 0.3, "": {"time.step": 0.0001}}, "shell": {"radius": 0.3, "": {"time.step": 0.0001}},
    "file": {"file": "meshes/block.msh", "": {"time.step": 0.0005}},
    "fill": {"file": "meshes/gem.obj", "spacing": 0.4, "": {"time.step": 0.0002}},
    "spring": {"k": 20, "damping_spring": 0.01},
    "elements": {"length": 20, "area": 10},
    "fem": {"material": {"type": "stvk", "young": 2e4, "poisson": 0.3}},
    "fast_corotated": {"young": 2e4, "": {"bodies[0].mesh": {
        "type": "block", "min": [0, 0, 0.3], "max": [0.3, 0.3, 0.6], "nx": 4, "ny": 4, "nz": 4, "tetrahedra": 5}}},
    "material.linear": {"young": 2e4, "": {"base": "sheet", "path": "bodies[0].model.material", "bodies[0].model": PLANE,
                                           "bodies[0].mesh.v": [0, 0.5, 0]}},
    "corotated": {"young": 2e4}, "stvk": {"young": 2e4}, "neo_hookean": {"young": 2e4},
    "hooke": {"young": [2e4, 3e4, 1e4], "shear": [1e4, 1e4, 1e4]}, "stable_neo_hookean": {"young": 2e4},
    "arap": {"young": 2e4},
    "rotation": {"angular_velocity": [0, 0, 5]}, "taylor_green": {"speed": 1, "length": 1, "origin": [0.1, 0, 0]},
    "expression": {"velocity": ["1 - y", "x", "-1"]}, "noise": {"speed": 1, "length": 0.4},
    "table": {"file": "meshes/vortex.csv"},
    "radial_distribution": {"range": 0.4, "bins": 20},
    "probe": {"support": 0.25, "operator": "gradient", "at": {"type": "line", "from": [0, 0, 0.1], "to": [0.3, 0.1, 0.2], "count": 4}},
    "sampling.points": {"positions": [[0.1, 0.1, 0.1], [0.2, 0.1, 0.1]], "": PROBED},
    "sampling.line": {"from": [0, 0, 0.1], "to": [0.3, 0.1, 0.2], "": PROBED},
    "sampling.plane": {"corner": [0, 0, 0.1], "side": [0.2, 0, 0], "other_side": [0, 0.2, 0], "columns": 3, "rows": 3, "": PROBED},
    "sampling.grid": {"min": [0, 0, 0], "max": [0.2, 0.2, 0.2], "nx": 3, "ny": 3, "nz": 3, "": PROBED},
    "collider_load": {"": {"base": "sheet"}}, "intersections": {"": {"base": "sheet"}},
    "section_force": {"": {"base": "block"}, "point": [0.13, 0, 0]},
    "joint_load": {"": {"base": "hinge", "joints[0].name": "pivot", "joints[1]": {"name": "other", "type": "distance", "bodies": ["brick"],
                   "point": [0.3, 0, 0], "other": [0.3, 0, 1], "rope": True}}, "joint": "pivot"},
    "lind2012": {"": {"fluid.pressure": {"type": "isph"}}},
    "isph": {"": {"fluid.shifting": {"type": "lind2012"}}},
    "mueller2003": {"": {"fluid.viscosity": {"type": "mueller2003", "nu": 0.05}, "time.step": 0.0005}},
    "wcsph": {"": {"time.step": 0.0005}},
    "viscosity.mueller2003": {"nu": 0.05}, "laplacian": {"nu": 0.05}, "morris1997": {"nu": 0.05}, "corotational": {"nu": 0.05},
    "confinement": {"strength": 1}, "micropolar": {"transfer": 0.02, "diffusion": 1e-6},
    "akinci2013": {"gamma": 1, "adhesion": 10, "": {"fluid.dimension": 3}}, "surface_energy": {"tension": 20, "contact_angle": 60},
    "weiler2018": {"nu": 0.05}, "takahashi2015": {"nu": 0.05},
    "implicit_corotational": {"nu": 0.05}, "viscosity.plain": {"nu": 0.05},
    "power_law": {"exponent": 0.5, "least": 0.2, "most": 5}, "carreau1972": {"exponent": 0.5, "time": 1},
}

# ---- where sections stand ----

FILLED = {"type": "box", "min": [0.05, 0.05, 0.05], "max": [0.35, 0.35, 0.2]}
CUPS = {"type": "difference", "shape": {"type": "box", "min": [-0.1, -0.1, -0.1], "max": [0.9, 0.4, 0.4]}, "subtract": [
    {"type": "box", "min": [0, 0, 0], "max": [0.3, 0.3, 1]}, {"type": "box", "min": [0.5, 0, 0], "max": [0.8, 0.3, 1]}]}
BASES["cup"] = {"time": {"end": 0.05, "step": 0.002, "fps": 100},
                "fluid": {"spacing": 0.1, "phases": [{"name": "water", "inside": [{"collider": "tank", "level": 0.25}]}]},
                "colliders": [TANK]}
BASES["picture"] = {**BASES["sheet"], "time": {"end": 0.004, "step": 0.002, "fps": 500}, "view": {"size": [64, 48]}}

BRICK = {"name": "brick", "model": "rigid", "shape": {"type": "box", "min": [0, 0, 0], "max": [0.3, 0.2, 0.1]}, "mass": 2,
         "velocity": [1, 0.3, -1], "angular_velocity": [1, 2, 3]}
BASES["bricks"] = {"time": {"end": 0.1, "step": 0.002, "fps": 100}, "bodies": [BRICK, {
    **BRICK, "name": "other", "shape": {"type": "box", "min": [0, 0.02, 0.12], "max": [0.3, 0.22, 0.2]}}],
    "colliders": [{"shape": {"type": "plane", "point": [0, 0, -0.01]}}]}
BASES["hinge"] = {"time": {"end": 0.1, "step": 0.002, "fps": 100}, "bodies": [BRICK], "joints": [
    {"type": "hinge", "bodies": ["brick"], "point": [0, 0.1, 0.05], "axis": [0, 1, 0]}]}

SECTIONS = {
    "rigid": ("bricks", "rigid"), "copies": ("bricks", "bodies[0].copies[0]"), "applied": ("bricks", "bodies[0].applied[0]"),
    "joint": ("hinge", "joints[0]"),
    "scene": ("sheet", ""), "time": ("sheet", "time"), "domain": ("beads", "domain"), "body": ("sheet", "bodies[0]"),
    "pin": ("sheet", "bodies[0].pins[0]"), "skin": ("block", "bodies[0].skin"), "growth": ("beads", "bodies[1].growth"), "load": ("sheet", "bodies[0].loads[0]"),
    "collider": ("sheet", "colliders[0]"), "output": ("sheet", "output"), "fluid": ("water", "fluid"),
    "phase": ("water", "fluid.phases[0]"), "cavity": ("cup", "fluid.phases[0].inside[0]"),
    "emitter": ("water", "fluid.emitters[0]"), "remove": ("water", "fluid.remove[0]"), "species": ("beads", "species[1]"),
    "body_contact": ("sheet", "body_contact"), "constraints": ("soft", "constraints"),
    "view": ("picture", "view"), "camera": ("picture", "view.camera"), "keyframe": ("picture", "view.camera.keyframes[1]"),
    "color": ("picture", "view.color"), "light": ("picture", "view.lights[0]"), "look": ("picture", "bodies[0].look"),
}

# ---- values ----

FIRST = {"type": "sphere", "center": [0, 0, 0], "radius": 0.12}
DROP = {"fluid": {"spacing": 0.1, "phases": [{"velocity": [1, 0, 0], "fill": [
    {"type": "box", "min": [1, 1, 1], "max": [1.2, 1.2, 1.2]}]}]}}
RIGID = {"base": "bricks"}
FREE = {"set": {"colliders": [], "bodies[1]": None}}
ARM = {"name": "arm", "shape": {"type": "sphere", "radius": 0.01}, "motion": {"type": "rotate", "speed": 3}}
ROD = {"joints[0]": {"type": "distance", "bodies": ["brick"], "point": [0, 0.1, 0.05], "other": [0, 0.1, 0.5]}}
PRESSED = {"time.step": 0.0002, "colliders[0].contact": {"type": "penalty", "stiffness": 200}, "colliders[0].shape": {"type": "plane", "point": [0, 0, 0.254]}}
BOX = {"domain": {"min": [-0.1, -0.1, -0.1], "max": [0.4, 0.4, 0.4]}}
SPINNING = {"bodies[0].oriented": True, "bodies[0].inertia": [1, 2, 3], "bodies[0].angular_velocity": [1, 2, 3]}
SKIN = {"bodies[0].skin": {"file": "made/tetrahedron.obj"}}
SKIN_VIEW = {"bodies[0]": {**BLOCK, "skin": {"file": "made/tetrahedron.obj"}}}
LOADED = {"bodies[0].loads[0]": {"nodes": [4], "force": [1, 0, 0]}}
BEADS = {"bodies": BASES["beads"]["bodies"], "species": BASES["beads"]["species"], "forces": [], "colliders": []}
SMOKE = {**BEADS, "view.style": "volume"}
BY_SPEED = {"view.color.field": "v", "bodies[0].flow": {"type": "rotation", "angular_velocity": [0, 0, 9]}}
EMITTER = {"center": [0.3, 0.7, 0], "direction": [0, -1, 0], "width": 0.15, "speed": 3}
FROM_FACES = {"collider": "tank", "speed": 3, "faces": {"type": "box", "min": [0.1, -0.1, -1], "max": [0.5, 0.1, 1]}}
JET = {"up": "z", "fluid": {"spacing": 0.05, "phases": [{"name": "water", "density": 1000}], "emitters": [
    {"center": [0.2, 0.2, 0.8], "direction": [0, 0, -1], "width": 0.1, "height": 0.15, "speed": 3}]},
       "colliders": [TANK]}
TOUCHING = {"bodies[1]": {**SHEET, "name": "lower", "pins": [], "mesh": {**SHEET["mesh"], "origin": [0.05, 0.03, 0.26]},
                          "velocity": [0, 0, 0]}, "bodies[0].velocity": [0.5, 0, -0.5], "body_contact.stiffness": 1, "colliders": []}
STIFF = {"time.step": 0.05, "bodies[0].model.k": 2000}
SPLASH = {"fluid.phases[0].velocity": [3, -9, 0]}
# elements that are compressed far
CRUSHED = {"bodies[0].flow": {"type": "expression", "velocity": ["0", "0", "-200*(z - 0.3)"]}, "time.step": 0.0005}
FLOOR = {"colliders[0].shape": {"type": "plane", "normal": [0, 1, 0]}, "colliders[0].inside": False}
CONSTANTS = [3e4, 1e4, 1e4, 0, 0, 0, 3e4, 1e4, 0, 0, 0, 3e4, 0, 0, 0, 1e4, 0, 0, 1e4, 0, 1e4]
RANGE = {"forces[0].method": {"type": "limited_range", "r_b": 0.18}}
DISC = {"bodies[0].mesh": {"type": "disc", "radius": 0.2, "count": 50, "thickness": 0.01}, "bodies[0].model": None,
        "bodies[0].pins": []}
# a sphere of oriented particles that grows
GROWING = {"name": "sphere", "oriented": True, "axes": "normals", "mass": 1, "radius": 0.05, "growth": {"spacing": 0.08},
           "mesh": {"type": "shell", "center": [3, 0, 0], "radius": 0.4, "detail": 4, "layers": 0}}
GROWTH = {"bodies[1]": GROWING}
# a bent sheet of oriented particles
BUBBLE = {"bodies[0]": {"oriented": True, "axes": "normals", "mass": 1, "radius": 0.05,
                       "mesh": {"type": "shell", "radius": 0.4, "detail": 4, "layers": 0}}}
RING = {"bodies[0].mesh": {"type": "torus", "radius": 0.4, "tube": 0.1, "around": 12, "across": 8}, "bodies[0].pins": []}
EASED = {"set": {"colliders[0].motion.end": 0.02}}

# More changes of the scene for all methods of a family.
AROUND = {
    "heater": {"forces[1]": HEAT}, "thermal": {"forces[1]": HEAT}, "action": {"forces[1]": HEAT},
    "state_equation": {"fluid.pressure": {"type": "wcsph"}, "time.step": 0.0005},
    "rheology": {"fluid.viscosity": {"type": "corotational", "nu": 0.05}},
    "linear_solver": {"integrator": {"type": "implicit_euler"}, "time.step": 0.01},
    "integrator": {},
    "emitter": {"fluid.emitters[0]": EMITTER}, "remove": {"fluid.remove[0]": {"shape": {
        "type": "box", "min": [0, 0, -1], "max": [0.1, 0.1, 1]}}},
    "keyframe": {"view.camera.keyframes": [{"time": 0, "eye": [1, 2, 1]}, {"time": 0.004, "eye": [2, 1, 1]}]},
    "copies": {"bodies[0].copies": [{"count": 2, "step": [0.4, 0, 0]}]},
    "light": {"view.lights": [{"direction": [0, 0, 1]}]},
    "output": {"output": {}},
    "format": {"output": {}}, "surface": {"output": {}},
}

# How a family's outcome is seen, unless by the state after some steps.
HOW = {"format": "run", "surface": "run", "output": "run"}

# Another value of a parameter; or {"value": ..., "set": {...}}: with these changes of the scene, before and after.
# "base", "steps", "how" and "path" replace those of the family or section.
VALUES = {
    "constraint.distance.stiffness": {"value": 0.3, "set": {**PBD, "bodies[0].model.constraints[1]": {"type": "distance"}}},
    "constraint.bend_dihedral.stiffness": {"value": 0.3, "set": {**PBD, "bodies[0].model.constraints[1]": {"type": "bend_dihedral"}}},
    "constraint.bend_isometric.stiffness": {"value": 0.3, "set": {**PBD, "bodies[0].model.constraints[1]": {"type": "bend_isometric"}}},
    "constraint.area.stiffness": {"value": 0.3, "set": {**PBD, "bodies[0].model.constraints[1]": {"type": "area"}}},
    "constraint.volume.stiffness": {"value": 0.3, "set": {**PBD, "bodies[0].model.constraints[1]": {"type": "volume"}}},
    "constraint.strain.stiffness": {"value": 0.3, "set": {**PBD, "bodies[0].model.constraints[1]": {"type": "strain"}}},
    "constraint.strain_energy.stiffness": {"value": 0.3, "set": {**PBD, "bodies[0].model.constraints[1]": {"type": "strain_energy"}}},
    "constraint.attach.stiffness": {"value": 0.3, "set": {**PBD, "bodies[0].model.constraints[1]": {
        "type": "attach", "nodes": [0], "body": BLOCK["name"], "body_nodes": [9]}}},
    "constraint.attach.set": "x1", "constraint.attach.nodes": [0, 2], "constraint.attach.body_set": "x1",
    "constraint.attach.region": {"type": "plane", "point": [0, 0, 0.45], "normal": [0, 0, 1]},
    "constraint.attach.body_nodes": [7, 11],
    # another body, and another collider
    "constraint.attach.body": {"value": "other", "set": {"bodies[1]": {
        **BLOCK, "name": "other", "model": "xpbd", "mesh": {**BLOCK["mesh"], "min": [0, 0, 0.9], "max": [0.4, 0.3, 1.2]}}}},
    "constraint.attach.collider": {"value": "still", "set": {
        "bodies[0].model.constraints[1]": {"type": "attach", "nodes": [0, 1], "collider": "ball"},
        "colliders[1]": {"name": "still", "shape": {"type": "sphere", "center": [3, 0, 0], "radius": 0.1}}}},
    "constraint.attach.reach": {"value": 0.3, "set": {"bodies[0].model.constraints[1]": {
        "type": "attach", "nodes": [0, 1], "body": BLOCK["name"], "body_nodes": [2, 2, 2]}}},
    "constraint.attach.damping": 0.01, "constraint.shape_match.beta": 0.2, "constraint.shape_match.region": 0.1,
    "constraint.density.stiffness": {"value": 0.3, "set": {**PBD, "bodies[0].model.constraints[1]": {"type": "density", "spacing": 0.25}}},
    "constraint.density.compliance": 1e-4, "constraint.density.spacing": 0.24,
    "constraint.shape_match.stiffness": {"value": 0.3, "set": {**PBD, "bodies[0].model.constraints[1]": {"type": "shape_match"}}},
    "constraint.strain.shear": {"value": 0.2, "set": {"bodies[0].model.constraints[1]": {
        "type": "strain", "compliance": 1e-5}}},
    "constraint.strain.weft": {"value": 0.2, "set": WOVEN}, "constraint.strain.warp": {"value": [1, 1, 0], "set": WOVEN},
    **{f"model.{name}.{key}": {"value": value, "steps": 150, "set": THICK} for name in ("pbd", "xpbd") for key, value in (
        ("thickness", 0.09), ("self", False), ("friction", 0.05), ("static_friction", 2))},
    "model.pbd.constraints": ["distance"], "model.xpbd.constraints": ["distance"], "constraints.solver": "jacobi",
    "constraints.iterations": 7, "constraint_solver.newton.tolerance": 0.5,
    "constraint_solver.newton_gauss_seidel.sweeps": 2,
    "constraint.strain_energy.material": {"type": "stvk", "young": 2e5},
    **{f"constraint.{name}.damping": 0.01 for name in ("distance", "bend_dihedral", "bend_isometric", "area", "volume",
                                                       "strain", "strain_energy", "neo_hookean_pair")},
    **{f"constraint.{name}.compliance": 0.01 for name in ("distance", "bend_dihedral", "bend_isometric", "area",
                                                          "volume", "strain")},
    "shape.hull.points": [[0, 0, 0], [0.5, 0, 0], [0, 0.5, 0], [0.2, 0.2, 0.3], [0.4, 0.4, 0.28]],
    "shape.hull.file": {"value": "made/tetrahedron.obj", "set": {"colliders[0].motion": "still"}},
    "contact_detection.heidelberger2004.search": {"type": "kd_tree"},
    "primitive_search.hierarchy.bound": "obb",
    "body_contact.detection": {"value": "surface", "base": "overlap"},
    "force.oriented.between": {"value": ["a", "b"], "set": {"forces[1].between": ["a", "a"]}},
    "force.damping_rotation.g": {"value": 0.5, "base": "sheet", "set": {"forces[0]": {"type": "damping_rotation", "g": 0.1}}},
    **{f"force.{name}.bodies": {"value": ["top"]} for name in (
        "attractor", "damping_point", "drag", "expression_field", "force_plane", "vortex", "wind")},
    **{f"thermostat.{name}.bodies": {"value": ["other"]} for name in ("berendsen", "rescale", "langevin")},
    "thermostat.berendsen.time": 0.01, "thermostat.langevin.time": 0.01,
    "scene.thermostats": {"value": [{"type": "langevin", "temperature": 0.01}], "base": "beads", "set": {"boltzmann": 0.001}},
    "force.drag.scale": {"value": 2, "set": {"forces[0].wind": [1, 0, 0]}},
    "force.expression_field.acceleration": ["-y", "2", "cos(t)"],
    "force.expression_field.force": {"value": ["x", "0.1", "0"], "set": {"forces[0]": {
        "type": "expression_field", "force": ["-x", "0", "0"]}}},
    "force.expression_field.potential": {"value": "x*x", "set": {"forces[0]": {"type": "expression_field",
                                                                             "potential": "2*x*x"}}},
    "force.attractor.motion": MOVE, "force.force_plane.motion": MOVE,
    "force.lennard_jones.e": {"value": 0.03, "set": PLAIN},
    "force.lennard_jones.r0": {"value": 0.12, "set": PLAIN},
    "force.lennard_jones.sigma": {"value": 0.11, "set": {**PLAIN, "forces[0]": {
        "type": "lennard_jones", "e": 0.01, "sigma": 0.1}}},
    "force.lennard_jones.r_a": {"value": 0.12, "set": {"forces[0].r_b": 0.3}},
    "force.lennard_jones.r_b": 0.2,
    "force.lennard_jones.clip": {"value": True, "set": {"bodies[0].mesh.spacing": 0.085}},
    "force.lennard_jones.pairs": [{"type": "species_pair", "between": ["a", "b"], "e": 0.05, "r0": 0.1}],
    "force.coulomb.method": {"value": "ewald", "base": "charges"},
    "body.charge": {"value": 2e-7, "base": "charges", "set": {"forces[0].method": "direct", "domain": None}},
    "force.coulomb.permittivity": {"value": 2, "base": "charges"},
    "force.coulomb.constant": {"value": 1e9, "base": "charges"},
    "force.newton.method": {"value": {"type": "tree", "angle": 1}, "base": "masses"},
    "force.newton.softening": {"value": 0.02, "base": "masses"},
    "force.newton.constant": {"value": 1e-4, "base": "masses"},
    "long_range.tree.angle": {"value": 1, "base": "masses", "set": {"forces[0].method": {"type": "tree"}}},
    "long_range.direct.precision": {"value": "single", "base": "masses", "set": {"forces[0].method": {"type": "direct"}}},
    "long_range.auto.accuracy": 1e-2, "long_range.ewald.tolerance": 1e-2,
    "long_range.limited_range.r_b": {"value": 0.15, "set": RANGE}, "long_range.limited_range.r_a": {"value": 0.05, "set": RANGE},
    "long_range.p3m.accuracy": 1e-2, "long_range.p3m.cutoff": 0.12, "long_range.p3m.order": 4,
    "long_range.p3m.cells": {"value": 40, "set": {"forces[0].method.order": 5, "forces[0].method.accuracy": 1e-2}},
    "long_range.p3m.differentiation": "ik",
    "long_range.particle_mesh.cells": 32, "long_range.particle_mesh.smoothing": 2,
    "force.heat.strength": [[290, 1], [320, 0.1]],
    "action.grab.time": 0.003, "action.push.time": 0.003, "action.add.time": 0.003, "action.delete.time": 0.003,
    "action.heat.time": 0.003, "action.grab.until": 0.002, "action.push.until": 0.004,
    "action.heat.until": {"value": 0.004, "set": {"actions[0].region": FIRST}},
    "action.grab.region": FIRST, "action.push.region": FIRST, "action.delete.region": FIRST, "action.heat.region": FIRST,
    "action.add.positions": [[0.1, 0.35, 0]], "action.add.radius": {"value": 0.03, "set": {"colliders": [
        {"shape": {"type": "plane", "point": [0, 0.305, 0], "normal": [0, -1, 0]}}]}},
    "force.heat.melting_point": 299,
    "force.heat.latent_heat": {"value": 50, "set": MELTS}, "force.heat.liquid_strength": {"value": 0.5, "set": MELTS},
    "force.heat.species": [{"type": "species_heat", "of": "a", "melting_point": 299}],
    "thermal.species_heat.of": "b", "thermal.species_heat.strength": [[290, 1], [320, 0.1]],
    "thermal.species_heat.specific_heat": {"value": 20, "set": {"forces[1].sources": [{"type": "feed", "power": 50}]}},
    "thermal.species_heat.latent_heat": {"value": 50, "set": FED}, "thermal.species_heat.liquid_strength": 0.5,
    "thermal.species_heat.melting_point": 301,
    "force.heat.sources": [{"type": "hold", "temperature": 400}],
    "motion.translate.end": 0.01, "motion.rotate.end": 0.01,
    "motion.translate.easing": {"value": ["smooth", "in", "out"], **EASED},
    "motion.rotate.easing": {"value": ["smooth", "in", "out"], **EASED},
    "motion.keyframes.times": [0, 0.03],
    "motion.keyframes.positions": [[0, 0, 0], [0.03, 0.01, 0.03]],
    "motion.keyframes.rotations": [[0, 0, 0], [0, 0.3, 0.4]],
    "motion.path.points": [[0, 0, 0], [0.03, 0, 0.02], [0, 0.04, 0.02]],
    "motion.path.start": 0.01,
    "motion.sequence.motions": [MOVE, {"type": "rotate", "speed": 6}],
    "motion.sequence.times": [0, 0.005],
    "pair.species_pair.between": ["a", "a"],
    "pair.species_pair.sigma": {"value": 0.11, "set": {"forces[0].pairs[0]": {"type": "species_pair", "between": ["a", "b"],
                                                                             "e": 0.03, "sigma": 0.1}}},
    "heater.start.region": FIRST, "heater.hold.region": FIRST, "heater.feed.region": FIRST,
    "shape.mesh.file": "meshes/block.obj",
    "shape.transform.shape": {"type": "box", "min": [-0.1, -0.1, -0.1], "max": [0.2, 0.2, 0.11]},
    "shape.union.shapes": [{"type": "sphere", "center": [0.25, 0.25, 0.1], "radius": 0.18}],
    "shape.intersection.shapes": [{"type": "sphere", "center": [0.25, 0.25, 0.1], "radius": 0.18}],
    "shape.difference.shape": {"type": "sphere", "center": [0.25, 0.25, 0.1], "radius": 0.18},
    "shape.difference.subtract": [{"type": "sphere", "center": [0.25, 0.25, 0.25], "radius": 0.1}],
    "force.vortex.motion": {"type": "translate", "velocity": [3, 0, 0]},
    "shape.mesh.file": "meshes/jack.obj",
    "shape.difference.subtract": [{"type": "sphere", "center": [0.25, 0.2, 0.27], "radius": 0.08}],
    "step.cfl.min": 0.0025, "step.cfl.max": 0.0005,
    "step.auto.factor": 0.01, "step.auto.tolerance": 1e-5, "step.auto.safety": 0.05, "step.auto.min": 0.003, "step.auto.max": 1e-4,
    "mesh.block.tetrahedra": {"value": 5, "set": {"bodies[0].mesh": {"type": "block"}, "time.step": 0.0005}},
    "mesh.disc.radius": {"value": 0.3, "set": DISC}, "mesh.disc.count": {"value": 60, "set": DISC},
    "mesh.disc.inner": {"value": 0.1, "set": DISC}, "mesh.disc.center": {"value": [0.1, 0, 0.4], "set": DISC},
    "mesh.disc.normal": {"value": [1, 0, 1], "set": DISC}, "mesh.disc.thickness": {"value": 0.05, "set": DISC},
    "mesh.disc.seed": {"value": 3, "set": DISC},
    "mesh.file.file": "meshes/letter.obj",
    "mesh.file.repair": {"value": True, "set": {"bodies[0].mesh": {"type": "file", "file": "made/doubled.obj"}}},
    "mesh.fill.file": "meshes/jack.obj", "mesh.fill.spacing": 0.3,
    "mesh.fill.shape": {"value": {"type": "sphere", "center": [0, 0, 0.5], "radius": 0.6}, "set": {"bodies[0].mesh": {
        "type": "fill", "spacing": 0.4, "shape": {"type": "sphere", "center": [0, 0, 0.5], "radius": 0.5}}}},
    "model.spring.k_length": {"value": 300, "set": {"bodies[0].model": {"type": "spring", "k_length": 200}}},
    "model.elements.volume": {"value": 200, "set": {"bodies[0].mesh": BLOCK["mesh"]}},
    "model.elements.damping_volume": {"value": 2, "set": {"bodies[0].mesh": BLOCK["mesh"], "bodies[0].model.volume": 100}},
    "model.fem.material": {"type": "corotated", "young": 3e4},
    "model.fast_corotated.iterations": {"value": 1, "set": {"bodies[0].model.tolerance": 1e-8}},
    "model.fem.triangles": {"value": ["plane_stress", "plane_strain"], "set": {
        "bodies[0].mesh.v": [0, 0.5, 0], "bodies[0].model.thickness": 0.01, "bodies[0].model.material.poisson": 0.3}},
    "model.fem.thickness": 0.003, "model.fem.damping_stiffness": 1e-4,
    "model.fem.yield": {"value": 0.001, "set": {"bodies[0].velocity": [9, 0, -3]}},
    "model.fem.creep": {"value": 10, "set": {"bodies[0].model.yield": 0.001}},
    "model.fem.plastic_max": {"value": 0.001, "set": {"bodies[0].model.yield": 0.001}},
    "material.stvk.inversion": {"value": ["clamp", "none"], "set": CRUSHED},
    "material.stvk.limit": {"value": 0.8, "set": CRUSHED},
    "material.hooke.inversion": {"value": ["clamp", "none"], "set": CRUSHED},
    "material.neo_hookean.limit": {"value": 0.9, "set": CRUSHED},
    "material.hooke.stiffness": {"value": CONSTANTS, "set": {"bodies[0].model.material": {
        "type": "hooke", "stiffness": [c * 1.1 for c in CONSTANTS]}}},
    "flow.expression.velocity": ["2 - y", "x", "-1"],
    "flow.table.file": "made/other.csv",
    "contact_law.penalty.stiffness": 5000, "contact_law.penalty.penetration": 0.3, "contact_law.penalty.damping": {"value": 0.9, "set": {"colliders[0].restitution": None, "colliders[0].contact.damping": 0.5}},
    "observable.collider_load.collider": {"value": "other", "steps": 20, "set": {
        **PRESSED, "colliders[1]": {"name": "other", "contact": "penalty", "shape": {"type": "sphere", "center": [2, 2, 2], "radius": 0.1}}}},
    "observable.joint_load.joint": "other", "observable.joint_load.copy": {"value": 1, "set": {
        "bodies[0].copies": [{"count": 3, "step": [0.4, 0, 0]}], "joints[0]": {"name": "pivot", "type": "ball", "bodies": ["brick"], "chain": True, "point": [0.35, 0.1, 0.05]}, "joints[1]": None}},
    "observable.mean_square_displacement.species": "b",
    "observable.collider_load.about": {"value": [0.1, 0.2, 0], "steps": 20, "set": PRESSED},
    "observable.section_force.system": {"value": "fluid", "set": {**DROP, "observables[0].system": "forces"}},
    "observable.section_force.point": [0.31, 0, 0], "observable.section_force.normal": [1, 1, 0],
    "observable.section_force.thickness": {"value": 0.01, "set": {"bodies[0].mesh": {
        "type": "cloth", "origin": [0, 0, 0.6], "columns": 5, "rows": 4}, "bodies[0].model": {
        "type": "fem", "material": {"type": "stvk", "young": 1e4}}}},
    "observable.intersections.system": {"value": "fluid", "set": {**DROP, "observables[0].system": "forces"}},
    "observable.mean_square_displacement.system": {"value": "fluid", "set": {**DROP, "observables[0].system": "forces"}},
    "observable.radial_distribution.between": ["a", "b"],
    "observable.probe.kernel": "wendland_c2", "observable.probe.support": 0.3, "observable.probe.column": "x",
    "observable.probe.at": {"type": "points", "positions": [[0.1, 0.1, 0.1]]},
    "observable.probe.operator": "curl",
    "observable.probe.system": {"value": "fluid", "set": {**DROP, "observables[0].system": "forces"}},
    "sampling.points.positions": [[0.1, 0.12, 0.1]],
    "sampling.plane.side": [0.25, 0, 0], "sampling.plane.other_side": [0, 0.25, 0],
    "observable.radial_distribution.system": {"value": "fluid", "set": {**DROP, "observables[0].system": "forces"}},
    "surface.tangential_delaunay.radius": {"value": 0.65, "set": BUBBLE}, "surface.tangential_delaunay.angle": {"value": 3, "set": BUBBLE},
    "surface.tangential_delaunay.slope": {"value": 3, "set": BUBBLE},
    "mesh.torus.radius": {"value": 0.3, "set": RING}, "mesh.torus.tube": {"value": 0.15, "set": RING},
    "mesh.torus.around": {"value": 10, "set": RING}, "mesh.torus.across": {"value": 6, "set": RING},
    "mesh.torus.center": {"value": [0.1, 0, 0.5], "set": RING},
    "surface.anisotropic.threshold": 0.3, "surface.metaball.threshold": 0.3, "surface.zhu_bridson.threshold": 0.3,
    "search.grid.width": 0.5, "search.octree.spacing": 0.05, "search.region_kdtree.spacing": 0.05,
    "search.octree.surface": {"value": True, "set": {"neighbors.spacing": 0.05}},
    "search.octree.width": {"value": 2, "set": {"neighbors.spacing": 0.05}},
    "search.region_kdtree.surface": {"value": True, "set": {"neighbors.spacing": 0.05}},
    "search.region_kdtree.width": {"value": 2, "set": {"neighbors.spacing": 0.05}},
    "search.verlet_list.over": "octree", "search.cached.over": "octree",
    "search.cached.check": True,
    "pressure.dfsph.max_iterations": 2, "pressure.dfsph.max_divergence_iterations": 1, "pressure.iisph.max_iterations": 2,
    "pressure.isph.max_iterations": 3, "pressure.pbf.max_iterations": 3, "pressure.dfsph.corrected": "always",
    "pressure.dfsph.isotropic": {"value": "always", "set": {"fluid.jitter": 0.2, "fluid.phases[0].velocity": [0.05, 0, 0]}},
    "pressure.dfsph.max_corrections": {"value": 0, "set": SPLASH}, "pressure.iisph.max_corrections": {"value": 0, "set": SPLASH},
    "pressure.wcsph.state": "linear", "pressure.wcsph.kernel": "spiky",
    "viscosity.corotational.wall": 0.2, "viscosity.laplacian.wall": 0.2, "viscosity.morris1997.wall": 0.2,
    "viscosity.mueller2003.wall": 0.2, "viscosity.xsph.wall": 0.2,
    "viscosity.laplacian.kernel": "poly6", "viscosity.morris1997.kernel": "poly6", "viscosity.mueller2003.kernel": "poly6",
    "viscosity.xsph.kernel": "poly6", "viscosity.weiler2018.kernel": "cubic", "viscosity.weiler2018.wall": 0.2,
    "viscosity.implicit_corotational.wall": 0.2, "viscosity.implicit_corotational.max_iterations": 2,
    "viscosity.implicit_corotational.tolerance": 0.1,
    "viscosity.peer2015.wall": 0.2, "viscosity.peer2015.max_iterations": 2, "viscosity.peer2015.tolerance": 0.1,
    **{f"viscosity.{name}.law": {"type": "power_law", "exponent": 0.5} for name in
       ("corotational", "implicit_corotational", "weiler2018", "takahashi2015")},
    "rheology.power_law.most": 1, "viscosity.plain.wall": 0.2, "viscosity.plain.kernel": "poly6",
    "viscosity.takahashi2015.wall": 0.2, "vorticity.micropolar.inertia": 0.01, "viscosity.takahashi2015.max_iterations": 2, "viscosity.takahashi2015.tolerance": 0.1,
    "viscosity.weiler2018.max_iterations": 2, "viscosity.weiler2018.tolerance": 0.1,
    "boundary.fluid_layers.margin": {"value": 0.1, "set": FLOOR}, "boundary.samples.margin": {"value": 0.1, "set": FLOOR},
    "boundary.akinci2012.margin": {"value": 0.1, "set": FLOOR},
    "shifting.lind2012.most": 0.001,
    "integrator.implicit_euler.tolerance": {"value": 1e-2, "set": {"integrator.iterations": 10}},
    "integrator.implicit_euler.line_search": {"value": False, "set": {"integrator.iterations": 10, **STIFF}},
    "integrator.bdf2.line_search": {"value": False, "set": STIFF},
    "integrator.implicit_midpoint.line_search": {"value": False, "set": STIFF},
    "integrator.newmark.line_search": {"value": False, "set": STIFF},
    "integrator.implicit_midpoint.tolerance": 1e-2,
    "integrator.bdf2.tolerance": 1e-2, "integrator.newmark.tolerance": 1e-2,
    "integrator.implicit_midpoint.iterations": 1, "integrator.bdf2.iterations": 1, "integrator.newmark.iterations": 1,
    "integrator.implicit_euler.solver": "cholesky", "integrator.linear_implicit.solver": "cholesky",
    "integrator.implicit_midpoint.solver": "cholesky", "integrator.bdf2.solver": "cholesky",
    "integrator.newmark.solver": "cholesky",
    "linear_solver.cg.iterations": 2, "linear_solver.jacobi.iterations": 2, "linear_solver.gauss_seidel.iterations": 2,
    "linear_solver.cholesky.tolerance": 1e-16,
    "scene.up": ["x", "y"], "scene.gravity": [1, 0, -5],
    "scene.gravity_field": {"type": "attractor", "strength": 3},
    "scene.actions": [{"type": "push", "time": 0.001, "velocity": [1, 0, 0]}],
    "scene.forces": [{"type": "drag", "linear": 0.1}], "scene.observables": [{"type": "mean_square_displacement"}],
    "scene.integrator": "rk4", "scene.neighbors": {"value": "octree", "set": {"integrator": "symplectic_euler", "forces[0]": {
        "type": "damping_viscous", "g": 0.1, "range": 0.2}}},
    "scene.dynamics": {"value": "first_order", "set": {"bodies[1]": None, "bodies[0].model.k": 0.01}},
    "scene.speed_limit": 1, "scene.speed_change_limit": 0.01,
    "scene.boltzmann": {"value": 2e-23, "set": {"bodies[0].temperature": 1e20}},
    "time.end": {"value": 0.02, "how": "run"}, "time.fps": {"value": 200, "how": "run"}, "time.step": 0.001,
    "domain.min": {"value": [-0.15, -0.12, -0.1], "set": BOX}, "domain.max": {"value": [0.45, 0.42, 0.4], "set": BOX},
    "domain.periodic": {"value": ["x", "y", "z", "xy", "xz", "yz", "xyz"], "steps": 60, "set": {
        **BOX, "domain.periodic": "none"}},
    "domain.outside": {"value": ["remove", "stop", "bounce"], "steps": 60, "set": {"domain": {
        "min": [-0.1, -0.1, -0.1], "max": [0.21, 0.5, 0.5], "periodic": "none"}, "bodies[0].velocity": [1, 0, 0]}},
    "body.name": {"value": "other", "how": "run"}, "body.mesh": {"type": "rope", "start": [0, 0, 1], "end": [1, 0, 1]},
    "body.model": {"type": "elements", "length": 5},
    "body.density": {"value": 3, "set": {"bodies[0].mass": None, "bodies[0].density": 2}},
    "body.flow": {"type": "rotation", "angular_velocity": [0, 0, 2]},
    "body.inertia": {"value": [2, 2, 3], "set": SPINNING}, "body.angular_velocity": {"value": [5, 2, 3], "set": SPINNING},
    "force.oriented.r_a": 0.1,
    "body.axes": {"value": ["random", "normals"], "set": SPINNING},
    "body.axes_seed": {"value": 7, "set": {**SPINNING, "bodies[0].axes": "random"}},
    "body.turned": {"value": [0.5, 0, 1], "set": SPINNING},
    "body.temperature": 1e21, "body.seed": {"value": 1, "set": {"bodies[0].temperature": 1e21}},
    "body.species": {"value": "b", "set": {"species": [{"name": "a", "e": 0.1, "r0": 0.2}, {"name": "b", "e": 0.3, "r0": 0.2}],
                                           "forces[0]": {"type": "lennard_jones"}}},
    "pin.set": {"value": "u1", "set": {"bodies[0].pins[0]": {"set": "u0"}}},
    "pin.region": {"value": {"type": "sphere", "center": [0, 0, 0.27], "radius": 0.3}, "set": {"bodies[0].pins[0]": {
        "region": {"type": "sphere", "center": [0, 0, 0.27], "radius": 0.1}}}},
    "pin.nodes": [1], "pin.motion": {"type": "rotate", "speed": 9},
    "growth.spacing": {"value": 0.07, "set": GROWTH}, "growth.gap": {"value": 0.9, "set": GROWTH},
    "growth.reach": {"value": 0.85, "set": GROWTH}, "growth.angle": {"value": 5, "set": GROWTH},
    "growth.merge": {"value": 0.59, "set": {"bodies[1]": {**GROWING, "growth": {"spacing": 0.2}}}},
    "growth.every": {"value": 7, "set": GROWTH}, "growth.max_particles": {"value": 165, "set": GROWTH},
    "skin.file": {"value": "made/tetrahedron.obj", "set": {}},
    "skin.scale": {"value": 1.1, "set": SKIN}, "skin.turned": {"value": [0, 0, 0.1], "set": SKIN},
    "skin.moved": {"value": [0.01, 0, 0], "set": SKIN},
    "load.set": {"value": "u1", "set": {"bodies[0].loads[0]": {"set": "u0", "force": [1, 0, 0]}}},
    "load.region": {"value": {"type": "sphere", "center": [0, 0, 0.27], "radius": 0.3}, "set": {"bodies[0].loads[0]": {
        "region": {"type": "sphere", "center": [0.5, 0, 0.27], "radius": 0.1}, "force": [1, 0, 0]}}},
    "load.nodes": {"value": [3], "set": LOADED}, "load.force": {"value": [0, 1, 0], "set": LOADED},
    "load.pressure": {"value": 5, "set": {"bodies[0].loads[0]": {"set": "all", "pressure": 1}}}, "load.scale": {"value": 2, "set": LOADED},
    "collider.name": {"value": "other", "how": "run", "set": {"observables": [{"type": "collider_load"}]}},
    "collider.shape": {"type": "plane", "point": [0, 0, 0.2]}, "collider.friction": 0.9, "collider.contact": "penalty",
    "collider.motion": {"type": "rotate", "speed": 3, "center": [0, 0, 0.1]},
    "output.formats": ["ply"], "output.fields": ["v", "a", "mass"], "output.surface": {"value": "metaball"},
    "output.checkpoint_every": 0.02, "output.checkpoint_wall": 1e-9,
    "output.checkpoint_keep": {"value": 4, "set": {"output.checkpoint_every": 0.01}},
    "output.wrap": {"value": False, "set": {"domain": {"min": [-0.05, -0.05, 0.2], "max": [0.4, 0.4, 0.4]}, "bodies[0].model": None,
                                            "bodies[0].mesh": {"type": "lattice", "spacing": 0.1}, "colliders": None}},
    "view.use_camera": {"value": "top", "set": {"view.cameras": [{"name": "top", "elevation": 80}]}},
    "view.size": [80, 48], "view.time": 0.002, "view.surface": {"value": "metaball", "set": BEADS},
    "view.neighbors": {"value": True, "set": BEADS},
    "view.joints": {"value": False, "set": {
        "bodies": [{"name": "bob", "model": "rigid", "shape": {"type": "sphere", "center": [1, 0, 0], "radius": 0.1}}],
        "joints": [{"type": "ball", "bodies": ["bob"], "point": [0, 0, 0]}]}},
    "view.neighbor_radius": {"value": 0.3, "set": {**BEADS, "view.neighbors": True}},
    "view.line_width": {"value": 8, "set": {**BEADS, "view.neighbors": True}},
    "view.skin": {"value": False, "set": SKIN_VIEW},
    "view.background": [0.2, 0.3, 0.4], "view.background_bottom": [0.2, 0.3, 0.4],
    "view.ground_height": {"value": -0.5, "set": {"view.ground": True}},
    "camera.name": {"value": "b", "path": "view.cameras[0].name", "set": {
        "view.use_camera": "a", "view.cameras": [{"name": "a", "elevation": 80}]}},
    "camera.eye": [1, 1, 1], "camera.target": [0.1, 0.1, 0.3], "camera.azimuth": 30, "camera.elevation": 50,
    "camera.projection": "orthographic",
    "camera.keyframes": [{"time": 0, "eye": [1, 2, 1]}, {"time": 1, "eye": [2, 1, 1]}],
    "keyframe.time": 0.02, "keyframe.eye": [2, 1, 2], "keyframe.target": [0.2, 0.2, 0], "keyframe.field_of_view": 60,
    "color.field": "v", "color.min": {"value": 1, "set": BY_SPEED}, "color.max": {"value": 1, "set": BY_SPEED},
    "color.map": {"value": ["magma", "inferno", "plasma", "cividis", "rainbow", "heat", "grey", "coolwarm"], "set": BY_SPEED},
    "volume.opacity": {"value": 1, "set": SMOKE}, "volume.emission": {"value": 1, "set": SMOKE},
    "volume.smoothing": {"value": 2, "set": SMOKE}, "volume.resolution": {"value": 16, "set": SMOKE},
    "light.direction": [1, 0, 0.2], "light.color": [1, 0.5, 0.2],
    "look.color": [0.9, 0.1, 0.1], "look.material": ["glossy", "metal", "glass", "water", "honey", "milk"],
    "look.depth": {"value": 0.01, "set": {"bodies[0]": {**BLOCK, "look": {"material": "water"}}}},
    "fluid.kernel": "wendland_c2", "fluid.neighbors": {"type": "octree"}, "fluid.pressure": "iisph",
    "fluid.viscosity": {"type": "morris1997", "nu": 0.1}, "fluid.artificial_viscosity": 0.5,
    "fluid.boundary": "samples", "fluid.shifting": "lind2012",
    "fluid.surface_tension": {"value": {"type": "akinci2013", "gamma": 0.3}, "set": {"fluid.dimension": 3}},
    "fluid.vorticity": {"type": "micropolar", "transfer": 0.05},
    "fluid.max_particles": {"value": 31, "set": {"fluid.emitters[0]": EMITTER}},
    "phase.name": {"value": "oil", "how": "run", "set": {}}, "phase.viscosity": {"value": 0.3, "set": {"fluid.viscosity.type": "corotational"}}, "phase.velocity": [0.2, -1, 0],
    "phase.fill": [{"type": "box", "min": [0, 0, 0], "max": [0.25, 0.2, 0.05]}],
    "phase.flow": {"type": "rotation", "angular_velocity": [0, 0, 2]},
    "cavity.collider": {"value": "cup", "set": {"colliders": [{"name": "tank", "shape": CUPS}, {
        "name": "cup", "shape": {"type": "transform", "shape": CUPS, "translate": [0, 3, 0]}}]}},
    "cavity.point": {"value": [0.1, 0.1, 0.05], "set": {"colliders": [{"name": "tank", "shape": CUPS}]}},
    "emitter.phase": {"value": "oil", "set": {"fluid.phases[1]": {"name": "oil", "density": 800}}},
    "emitter.shape": {"value": "disc", "set": JET},
    "emitter.region": {"value": {"type": "sphere", "center": [0.2, 0.2, 0.8], "radius": 0.12}, "set": {**JET, "fluid.emitters[0]": {
        "center": [0.2, 0.2, 0.8], "direction": [0, 0, -1], "speed": 3,
        "region": {"type": "sphere", "center": [0.2, 0.2, 0.8], "radius": 0.19}}}},
    "emitter.surface": {"value": {"type": "sphere", "center": [0.3, 0.7, 0], "radius": 0.06}, "set": {"fluid.emitters[0]": {
        "surface": {"type": "sphere", "center": [0.3, 0.7, 0], "radius": 0.12}, "speed": 3}}},
    "emitter.collider": {"value": "lid", "set": {"fluid.emitters[0]": {"collider": "tank", "speed": 3}, "colliders[1]": {
        "name": "lid", "shape": {"type": "sphere", "center": [0.3, 0.7, 0], "radius": 0.1}}}},
    "emitter.faces": {"value": {"type": "box", "min": [0.1, -0.1, -1], "max": [0.3, 0.1, 1]},
                      "set": {"fluid.emitters[0]": FROM_FACES}},
    "emitter.center": [0.3, 0.6, 0], "emitter.direction": [0.5, -1, 0],
    "emitter.across": {"value": [1, 1, 0], "set": JET},
    "emitter.width": 0.2, "emitter.height": {"value": 0.2, "set": JET},
    "emitter.radius": {"value": 0.15, "set": {**JET, "fluid.emitters[0]": {
        "center": [0.2, 0.2, 0.8], "direction": [0, 0, -1], "speed": 3, "shape": "disc", "radius": 0.1}}},
    "emitter.speed": 5, "emitter.flow_rate": {"value": 0.5, "set": {"fluid.emitters[0].speed": None,
                                                                  "fluid.emitters[0].flow_rate": 0.3}},
    "emitter.start": 0.01, "emitter.stop": 0.004,
    "remove.shape": {"type": "box", "min": [0, 0, -1], "max": [0.2, 0.2, 1]},
    "species.name": "c",
    "species.sigma": {"value": 0.1, "set": {"species[1].r0": None, "species[1].sigma": 0.11}},
    "body_contact.stiffness": {"value": 0, "set": {**TOUCHING, "body_contact": None}}, "body_contact.gap": {"value": 0.05, "set": TOUCHING},
    "body.shape": {"value": {"type": "sphere", "radius": 0.1}, **RIGID},
    "body.shapes": {"value": [{"type": "sphere", "radius": 0.1}], "base": "bricks", "set": {
        "bodies[0].shape": None, "bodies[0].shapes": [BRICK["shape"]]}},
    "body.fixed": {"value": True, "base": "bricks", "set": {"bodies[0].velocity": None, "bodies[0].angular_velocity": None}},
    "body.motion": {"value": {"type": "rotate", "speed": 1}, "base": "bricks", "set": {
        "bodies[0].velocity": None, "bodies[0].angular_velocity": None}},
    "body.friction": {"value": 0.1, **RIGID}, "body.restitution": {"value": 0.8, **RIGID},
    "body.rolling_friction": {"value": 0.1, **RIGID}, "body.linear_damping": {"value": 3, **RIGID},
    "body.angular_damping": {"value": 3, **RIGID}, "body.collides": {"value": False, **RIGID},
    "rigid.integrator": {"value": "heun", **FREE}, "rigid.rotation": {"value": "rotation_matrix", "set": {**FREE["set"], "rigid.integrator": "explicit_euler"}},
    "rigid.solver": "direct", "rigid.substeps": 2, "rigid.dimension": {"value": 2, "set": {"gravity": [0, -9.81, 0]}}, "rigid.margin": 0.02, "rigid.bounce_speed": {
        "value": 5, "set": {"bodies[0].restitution": 0.7}},
    "copies.count": 3, "copies.step": [0, 0.3, 0],
    "copies.fewer": {"value": 1, "set": {"bodies[0].copies": [{"count": 3, "step": [0.4, 0, 0]}, {"count": 2, "step": [0.1, 0, 0.5]}]},
                     "path": "bodies[0].copies[1].fewer"},
    "applied.force": [20, 0, 0], "applied.point": {"value": [0.2, 0, 0.1], "set": {"bodies[0].applied[0].force": [0, 9, 0]}},
    "applied.torque": [0, 0, 5], "applied.scale": {"value": 3, "set": {"bodies[0].applied[0].force": [0, 9, 0]}},
    "applied.follows": {"value": True, "set": {"bodies[0].applied[0].force": [0, 90, 0]}},
    "joint.name": {"value": "pivot", "how": "run"}, "joint.type": ["ball", "slider", "fixed"],
    "joint.bodies": {"value": ["other"], "set": {"bodies[1]": BASES["bricks"]["bodies"][1]}},
    "joint.copies": {"value": [-1], "set": {"bodies[0].copies": [{"count": 2, "step": [0, 0.5, 0]}]}},
    "joint.chain": {"value": True, "set": {"bodies[0].copies": [{"count": 3, "step": [0.4, 0, 0]}]}},
    "joint.point": [0.1, 0.1, 0.05], "joint.axis": [1, 0, 0],
    "joint.other": {"value": [0, 0.2, 0.6], "set": ROD}, "joint.rest": {"value": 0.4, "set": ROD},
    "joint.rope": {"value": True, "set": {**ROD, "bodies[0].velocity": [0, 0, 3]}},
    "joint.collider": {"value": "arm", "set": {"colliders": [ARM]}},
    "joint.node": {"value": 2, "set": {"bodies[1]": SHEET, "joints[0]": {"type": "ball", "bodies": ["brick", "sheet"], "point": [0.1, 0.1, 0.05]}}},
    "joint.lower": 0.1, "joint.upper": -0.1, "joint.motor_speed": 4,
    "joint.motor_maximum": {"value": 0.1, "set": {"joints[0].motor_speed": 4}},
    "joint.frequency": 5, "joint.damping_ratio": {"value": 0.5, "set": {"joints[0].frequency": 5}},
    "joint.collide": {"value": True, "set": {"bodies[1]": {**BRICK, "name": "other", "velocity": [0, 0, 0]},
                                             "joints[0].bodies": ["brick", "other"]}},
    "body_contact.self": {"value": True, "set": {**TOUCHING, "bodies[0].mesh": {**SHEET["mesh"], "v": [0, 0.1, 0], "rows": 8}}},
    "body_contact.friction": {"value": 0.5, "set": TOUCHING}, "body_contact.damping": {"value": 0.5, "set": TOUCHING},
    "body_contact.slip": {"value": 0.5, "set": {**TOUCHING, "body_contact.friction": 0.5}},
    "mesh.points.positions": [[0, 0, 0.3], [0.1, 0.12, 0.32], [0.2, 0.2, 0.3]], "mesh.points.edges": [0, 1, 0, 2],
    "mesh.lattice.number_density": {"value": 910, "set": {"bodies[0].mesh": {
        "type": "lattice", "nx": 3, "ny": 3, "nz": 2, "number_density": 900}}},
}

# Parameters of speed and memory, by the beginning of their names: another value, the same state; sums over neighbours are
# taken in another order, so that energies agree to rounding.
SAME = ("search.", "primitive_search.", "bound.", "contact_detection.heidelberger2004.search")

# Parameters that have no effect beside others, in a scene with these changes: the warning or the error that says so.
UNUSED = [
    ("water", {"integrator": "rk4"}, "integrator: belongs to bodies"),
    ("water", {"neighbors": "octree"}, "neighbors: belongs to bodies"),
    ("water", {"speed_limit": 3}, "speed_limit: belongs to bodies"),
    ("water", {"species": [{"name": "a"}]}, "species: belongs to bodies"),
    ("water", {"colliders[0].friction": 0.3}, "colliders[0].friction: it acts on bodies and has no effect"),
    ("water", {"fluid.boundary": "samples", "colliders[1].restitution": 0.3}, "colliders[1].restitution: it acts on bodies"),
    ("water", {"colliders[0].position": "none"}, "colliders[0].position: it acts on bodies and has no effect"),
    ("water", {"fluid.max_particles": 5000}, "fluid.max_particles: it has no effect without `emitters`"),
    ("sheet", {"neighbors": "octree"}, "neighbors: 'octree' has no effect, since no force"),
    ("water", {"colliders[0].contact": "penalty"}, "colliders[0].contact: 'penalty' acts on bodies"),
    ("water", {"fluid.pressure": "mueller2003", "fluid.kernel": "wendland_c4", "time.step": 1e-4},
     "fluid.kernel: 'wendland_c4' has no effect"),
    ("bricks", {"colliders[0].contact": "penalty"}, "colliders[0].contact: it has no effect on rigid bodies"),
    ("bricks", {"colliders[0].friction": {"type": "scale", "factor": 0.5}}, "colliders[0].friction: it has no effect on rigid bodies"),
    ("bricks", {"colliders[0].position": "none"}, "colliders[0].position: it has no effect on rigid bodies"),
    ("bricks", {"bodies[0].radius": 0.3}, "bodies[0].radius: it belongs to the particles of a mesh"),
    ("bricks", {"body_contact": {"stiffness": 1}}, "body_contact: acts between deformable bodies"),
    ("beads", {"body_contact": {"stiffness": 1}}, "body_contact: it has no effect, since no body has a surface"),
    ("block", {"species": [{"name": "a"}]}, "species: they have no effect"),
    ("block", {"boltzmann": 2}, "boltzmann: it has no effect"),
    ("block", {"bodies[0].charge": 1}, "bodies[0].charge: it has no effect"),
    ("soft", {"body_contact": {"stiffness": 1}}, "body_contact: it has no effect on bodies of 'pbd' and 'xpbd'"),
    ("soft", {"colliders[0].friction": 0, "colliders[0].surface_velocity": [1, 0, 0]},
     "colliders[0].surface_velocity: it acts on bodies through friction"),
    ("sheet", {"fluid": {"jitter": 0.1}}, "fluid.jitter: it has no effect, since the scene has no fluid"),
    ("sheet", {"rigid": {"substeps": 2}}, "rigid: belongs to bodies with the model 'rigid'"),
    ("block", {"bodies[0].model.thickness": 0.3}, "thickness: it belongs to membranes"),
    ("sheet", {"colliders[0].friction": 0, "colliders[0].surface_velocity": [1, 0, 0]},
     "colliders[0].surface_velocity: it acts on bodies through friction"),
]

# Files that are made for the values above, "made/NAME".
FILES = {
    "other.csv": "x,y,z,vx,vy,vz\n" + "".join(f"{x},{y},{z},{y},{1 + x},{z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1)),
    "tetrahedron.obj": "v 0.1 0.1 0.35\nv 0.3 0.1 0.35\nv 0.2 0.25 0.35\nv 0.2 0.15 0.5\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n",
    "doubled.obj": "v 0 0 0.3\nv 0.2 0 0.3\nv 0 0.2 0.3\nv 0.2 0 0.3\nv 0.2 0.2 0.3\nv 0 0.2 0.3\nf 1 2 3\nf 4 5 6\n",
}

# Parameters that are refused or warned about where they have no effect: part of the text.
SAID = {
    "observable.intersections.system": "'fluid' has no triangles",
    "observable.section_force.system": "has no elements with a stress",
    "shape.mesh.flip": "the triangle normals point inwards",
    "domain.outside=stop": "has left the domain",
    "camera.name": "there is no camera 'a'", "species.name": "nothing in 'species' is named 'b'",
    "emitter.shape": "radius: an opening needs one",
    "search.cached.check": "pairs may be missing",
    "search.cached.skin": None, "search.cached.steps": None,
}
